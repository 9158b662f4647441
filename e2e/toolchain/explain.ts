/**
 * What to do about a failed command, told from what it printed.
 *
 * @returns one sentence or two, or undefined where the cause is not one that we know.
 */
export function explain(output: string): string | undefined {
  return CAUSES.find(({ pattern }) => pattern.test(output))?.advice;
}

const CAUSES: readonly { readonly pattern: RegExp; readonly advice: string }[] = [
  {
    pattern: /no space left on device|ENOSPC|disk quota exceeded/i,
    advice:
      "No disk space is left. Free some (at least 25 GB; old builds can be deleted from the cache folder) and run this again: finished parts are kept.",
  },
  {
    pattern: /address already in use|port is already allocated|failed to bind host port/i,
    advice: "A port is taken. Stop what listens on it, or choose another with --http-port.",
  },
  {
    pattern:
      /no such host|could ?n[o']t resolve|temporary failure (in name resolution|resolving)|EAI_AGAIN|ENOTFOUND|connection (refused|reset|timed out)|i\/o timeout|TLS handshake timeout|proxyconnect|network is unreachable|failed to pull image|unexpected EOF|(502|503|504) /i,
    advice:
      "A registry or package server is out of reach. Check the network and the proxy settings, and run this again: finished parts are kept. Where only image registries are out of reach, --from-source builds the images instead.",
  },
  {
    pattern: /go: command not found|spawn go ENOENT|failed: go (?!.*exit code)/i,
    advice: "Go is missing: install it (https://go.dev/dl) and put it on PATH.",
  },
  {
    pattern: /requires go >= \S+ \(running go/i,
    advice: "Go is too old: install a newer one (https://go.dev/dl), or set GOTOOLCHAIN=auto.",
  },
];
