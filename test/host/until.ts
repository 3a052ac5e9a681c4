/** Asks again and again until `read` gives something; for what has no event. Rejects after that time, naming `what`. */
export async function until<T>(
  what: string,
  read: () => T | undefined | false | Promise<T | undefined | false>,
  seconds = 40,
): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`Waited ${seconds} s in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
