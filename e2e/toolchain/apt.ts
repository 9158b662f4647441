import { report } from "./progress.ts";
import { run, succeeds } from "./spawn.ts";

let lastInstall: Promise<unknown> = Promise.resolve();

/**
 * Installs the Debian packages that are missing, one call after the other. On another system they are taken to be there.
 *
 * @throws where that takes rights that this process does not have, with the command to run.
 */
export function ensureApt(packages: readonly string[]): Promise<void> {
  const install = lastInstall.then(() => installMissing(packages));
  lastInstall = install.catch(() => undefined);
  return install;
}

async function installMissing(packages: readonly string[]): Promise<void> {
  if (!(await succeeds("dpkg-query", ["--version"]))) return;
  const present = await Promise.all(packages.map(isInstalled));
  const missing = packages.filter((_, index) => !present[index]);
  if (missing.length === 0) return;
  const install = ["install", "--yes", "--no-install-recommends", ...missing];
  if (process.getuid?.() !== 0 || !(await succeeds("apt-get", ["--version"]))) {
    throw new Error(
      `Packages are missing: ${missing.join(", ")} (their names on Debian). Install them, with root's rights: apt-get ${install.join(" ")}`,
    );
  }
  report(`apt-get ${install.join(" ")}`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update"], { env });
  await run("apt-get", install, { env });
}

async function isInstalled(name: string): Promise<boolean> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are dpkg-query's
  const query = ["--show", "--showformat=${db:Status-Status}", name];
  try {
    return (await run("dpkg-query", query)) === "installed";
  } catch {
    return false;
  }
}
