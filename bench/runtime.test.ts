import { expect, test } from "vitest";
import { parseWrk } from "./runtime.ts";

test("reads the rate, the 99th percentile and every failure that wrk prints", () => {
  const text = `
  Latency Distribution
     50%  204.00us
     99%    1.50ms
  60000 requests in 3.00s, 9.00MB read
  Socket errors: connect 1, read 20, write 0, timeout 3
  Non-2xx or 3xx responses: 100
Requests/sec:  20000.25
`;
  expect(parseWrk(text)).toEqual({ requestsPerSecond: 20000.25, p99Ms: 1.5, failed: 124 });
});

test("takes no failures for none", () => {
  expect(parseWrk("99%  2.00s\nRequests/sec: 5.0")).toEqual({
    requestsPerSecond: 5,
    p99Ms: 2000,
    failed: 0,
  });
});
