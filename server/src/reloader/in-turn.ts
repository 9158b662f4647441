/**
 * Makes a function that runs tasks of the same key one after the other, in the order in which they came, and others at once.
 * A task that fails does not keep the next from running.
 */
export const createInTurn = () => {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve();
    const running = before.then(task, task);
    last.set(key, running);
    try {
      return await running;
    } finally {
      if (last.get(key) === running) {
        last.delete(key);
      }
    }
  };
};
