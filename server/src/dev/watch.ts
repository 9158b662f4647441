import { type FSWatcher, watch } from "node:fs";

/** Editors write a file in several steps; this long after the last one it is read. */
const QUIET_MS = 50;

/** Calls back, one call at a time, some time after something in a folder has changed. */
export const watchFolders = (
  folders: readonly string[],
  onChange: () => Promise<void>,
): FSWatcher[] => {
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      last = last.then(onChange);
    }, QUIET_MS);
  };
  return folders.map((folder) => watch(folder, changed));
};
