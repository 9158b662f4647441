import { parseArgs } from "node:util";

export interface Arguments {
  paths: string[];
  port: number;
}

export const USAGE = `usage: npm start -- [PATH ...] [--port PORT]

Serves the PythonLambdas in YAML files, or in the YAML files of folders (default: examples), each on its host at
http://127.0.0.1:PORT (default: 8080; 0 takes any that is free), and again whenever a file is saved.`;

const DEFAULT_PORT = 8080;
const MAX_PORT = 65_535;

/**
 * Reads the command line.
 * @throws an error that says what is wrong with it
 */
export const parseArguments = (args: readonly string[], defaultPath: string): Arguments => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { port: { type: "string", short: "p", default: String(DEFAULT_PORT) } },
    allowPositionals: true,
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > MAX_PORT) {
    throw new Error(`--port must be a number from 0 to ${MAX_PORT}, not "${values.port}"`);
  }
  return { paths: positionals.length > 0 ? positionals : [defaultPath], port };
};
