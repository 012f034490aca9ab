import type { FromTool, ToTool } from "./messages.ts";
import type { Post } from "./answer.ts";
import { safelyIterable, uncurryThis } from "./primordials.ts";

/**
 * Takes the private channel of this worker. Nothing but the returned function keeps it, so tool code does not find it;
 * and who found it all the same could only answer calls of this very tool.
 *
 * @param receive Gets what the carrier posts, in order.
 */
export function openToolPort(port: MessagePort, receive: (message: ToTool) => void): Post {
  const postMessage = uncurryThis<MessagePort, [message: FromTool, transfer: Transferable[]], void>(
    MessagePort.prototype.postMessage,
  );
  const none = safelyIterable<Transferable>([]);
  port.onmessage = (event: MessageEvent<ToTool>) => receive(event.data);
  return (message, transfer) =>
    postMessage(port, message, transfer === undefined ? none : safelyIterable([transfer]));
}
