import type { Post } from "./answer.ts";
import type { FromTool, ToTool } from "./messages.ts";
import { objectDefineProperty, ownValue, safelyIterable, uncurryThis } from "./primordials.ts";

/**
 * Takes the private channel of this worker. Nothing but the returned function keeps it, so tool code does not find it;
 * and who found it all the same could only answer calls of this very tool.
 *
 * @param receive Gets what the carrier posts, in order.
 */
export function openToolPort(port: MessagePort, receive: (message: ToTool) => void): Post {
  const post = uncurryThis<MessagePort, [message: FromTool], void>(MessagePort.prototype.postMessage);
  const postWith = uncurryThis<MessagePort, [message: FromTool, transfer: Transferable[]], void>(
    MessagePort.prototype.postMessage,
  );
  // Deno hands each message to the port's own `dispatchEvent`. With one of ours, no listener, and no function of
  // `EventTarget` that a tool has replaced, stands between; and it takes a few microseconds less.
  objectDefineProperty(port, "dispatchEvent", ownValue((event: MessageEvent<ToTool>) => receive(event.data)));
  port.onmessage = () => {};
  return (message, transfer) =>
    transfer === undefined ? post(port, message) : postWith(port, message, safelyIterable([transfer]));
}
