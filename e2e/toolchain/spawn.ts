import { open } from "node:fs/promises";
import spawn, { type Options, SubprocessError } from "nano-spawn";

/**
 * Runs a command to its end.
 *
 * @returns its standard output, without the last newline.
 * @throws an Error with the command and the end of what it printed.
 */
export async function run(
  command: string,
  args: readonly string[],
  options: Options = {},
): Promise<string> {
  try {
    return (await spawn(command, args, options)).stdout;
  } catch (cause) {
    throw failure(cause);
  }
}

/** Runs a command that reads the file as its standard input; otherwise as `run`. */
export async function runWithInput(
  path: string,
  command: string,
  args: readonly string[],
): Promise<string> {
  const file = await open(path);
  try {
    return await run(command, args, { stdin: file.fd });
  } finally {
    await file.close();
  }
}

/** True if the command ends with exit code 0; false also where there is no such command. */
export async function succeeds(
  command: string,
  args: readonly string[],
  options: Options = {},
): Promise<boolean> {
  try {
    await spawn(command, args, options);
    return true;
  } catch {
    return false;
  }
}

function failure(cause: unknown): Error {
  if (!(cause instanceof SubprocessError)) return new Error("A command failed", { cause });
  const end = cause.output.split("\n").slice(-TAIL_LINES).join("\n");
  return new Error(`${cause.message}\n${end}`.trim(), { cause });
}

const TAIL_LINES = 20;
