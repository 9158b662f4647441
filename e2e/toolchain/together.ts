/**
 * The results of actions that run at the same time.
 *
 * @throws the first failure, but only when all have ended: nothing is left running behind it.
 */
export async function together<T extends readonly unknown[]>(
  ...actions: { [Index in keyof T]: Promise<T[Index]> }
): Promise<T> {
  const results = await Promise.allSettled(actions);
  for (const result of results) if (result.status === "rejected") throw result.reason;
  return Promise.all(actions) as unknown as Promise<T>;
}
