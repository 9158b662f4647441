/**
 * Runs one step and prints, on standard error, that it starts and how long it took.
 *
 * @throws what the step throws, with the step's name in front.
 */
export async function step<T>(name: string, action: () => Promise<T>): Promise<T> {
  const start = performance.now();
  report(`${name} ...`);
  try {
    const result = await action();
    report(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    return result;
  } catch (cause) {
    throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** Prints one line of progress on standard error. */
export function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
