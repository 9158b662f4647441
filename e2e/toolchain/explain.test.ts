import { describe, expect, test } from "vitest";
import { explain } from "./explain.ts";

describe("a failed command is explained by what it printed", () => {
  test.each([
    ["write /var/cache/x: no space left on device", "No disk space"],
    ["ENOSPC: no space left on device, write", "No disk space"],
    ["dial tcp: lookup proxy.example: no such host", "out of reach"],
    ["E: Failed to fetch x  Temporary failure resolving 'deb.example'", "out of reach"],
    [
      'Get "https://proxy.example/m": dial tcp 127.0.0.1:9: connect: connection refused',
      "out of reach",
    ],
    ["npm error code EAI_AGAIN", "out of reach"],
    ["driver failed: Bind for 127.0.0.1:8080 failed: port is already allocated", "A port is taken"],
    ["go: go.mod requires go >= 1.26.6 (running go 1.24.1; GOTOOLCHAIN=local)", "Go is too old"],
  ])("%s", (output, advice) => {
    expect(explain(output)).toContain(advice);
  });

  test("a cause that is not known gets no advice", () => {
    expect(explain("undefined: syntax error near x")).toBeUndefined();
  });
});
