type Encoding = Parameters<Buffer["toString"]>[0];

/** What a script gave, when awaited. */
export class ShellOutput {
  constructor(readonly stdout: Buffer, readonly stderr: Buffer, readonly exitCode: number) {}

  text(encoding?: Encoding): string {
    return this.stdout.toString(encoding);
  }

  json(): unknown {
    return JSON.parse(this.text());
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.stdout);
  }

  arrayBuffer(): ArrayBuffer {
    return this.bytes().buffer;
  }

  blob(): Blob {
    return new Blob([this.bytes()]);
  }
}

/** A script that ended with another status than 0. */
export class ShellError extends Error {
  override readonly name = "ShellError";
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly exitCode: number;
  /** The same as an object. */
  readonly info: { exitCode: number; stdout: Buffer; stderr: Buffer };
  readonly #output: ShellOutput;

  constructor(output: ShellOutput) {
    super(`Failed with exit code ${output.exitCode}`);
    const { stdout, stderr, exitCode } = output;
    this.stdout = stdout;
    this.stderr = stderr;
    this.exitCode = exitCode;
    this.info = { exitCode, stdout, stderr };
    this.#output = output;
  }

  text(encoding?: Encoding): string {
    return this.#output.text(encoding);
  }

  json(): unknown {
    return this.#output.json();
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#output.bytes();
  }

  arrayBuffer(): ArrayBuffer {
    return this.#output.arrayBuffer();
  }

  blob(): Blob {
    return this.#output.blob();
  }
}
