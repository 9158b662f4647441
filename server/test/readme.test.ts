import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { npmStart, ROOT } from "./npm-start.ts";

const readme = readFileSync(join(ROOT, "README.md"), "utf8");

/** The commands of the README's console blocks, each with the output that it is said to have. */
const commands = [...readme.matchAll(/```console\n\$ ([^\n]+)\n([^`]*)```/g)].map(
  ([, command = "", output = ""]) => ({ command, output }),
);

const outputOf = (start: string) =>
  commands.find(({ command }) => command.startsWith(start))?.output ?? `no ${start} in the README`;

test("the README shows the commands that are tested, and no others", () => {
  expect(commands.map(({ command }) => command)).toEqual([
    "npm start",
    "curl 'http://localhost:8080/?name=Martin'",
    "npm test",
  ]);
});

test("npm start prints the table that the README shows, and curl the answer", async () => {
  const server = npmStart(["--port=0"]);
  const [, port = ""] = await server.printed(/localhost:(\d+)\//);
  // Another port than the README's may be longer or shorter, which the table's spaces follow.
  const squeeze = (text: string) => text.replaceAll(`:${port}/`, ":8080/").replaceAll(/ +/g, " ");
  expect(squeeze(server.output())).toContain(squeeze(outputOf("npm start")));

  const answer = await server.ask("/?name=Martin");
  expect(answer.body.toString()).toBe(outputOf("curl"));
});
