/**
 * One step of a request whose answer is mostly there at once: `take` gets it, then the request goes on. As an async
 * hook the step would cost every request a turn of the promise queue.
 */
export function step<T>(done: (error?: Error) => void, ask: () => T | Promise<T>, take: (answer: T) => void): void {
  try {
    const answer = ask();
    if (answer instanceof Promise) {
      answer.then(take).then(() => done(), done);
      return;
    }
    take(answer);
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}
