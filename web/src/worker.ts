// The interpreter in a worker: lines of the protocol in, lines out.

interface Interpreter {
  readonly memory: WebAssembly.Memory;
  reserve(length: number): number;
  answer(): number;
  response(): number;
}

export interface Line {
  readonly id: number;
  readonly text: string;
}

let interpreter: Interpreter | undefined;
const waiting: Line[] = [];

function answer(line: Line): void {
  if (!interpreter) {
    waiting.push(line);
    return;
  }
  const bytes = new TextEncoder().encode(line.text);
  try {
    // The memory may grow and move with every call, so it is looked up after each.
    const request = interpreter.reserve(bytes.length);
    new Uint8Array(interpreter.memory.buffer, request, bytes.length).set(bytes);
    const length = interpreter.answer();
    const response = new Uint8Array(interpreter.memory.buffer, interpreter.response(), length);
    postMessage({ id: line.id, text: new TextDecoder().decode(response) });
  } catch (error) {
    postMessage({ id: line.id, broken: String(error) });
  }
}

self.onmessage = async (event: MessageEvent<WebAssembly.Module | Line>) => {
  const { data } = event;
  if (data instanceof WebAssembly.Module) {
    const instance = await WebAssembly.instantiate(data, {});
    interpreter = instance.exports as unknown as Interpreter;
    for (const line of waiting.splice(0)) answer(line);
  } else {
    answer(data);
  }
};
