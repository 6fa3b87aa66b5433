/** The status of a job that waits for others, as a sentence. It begins as the contract says for every accepted job. */
export const waitingMessage = (waitingFor: readonly string[]): string =>
  `The job is queued for processing. It starts when ${waitingFor.length === 1 ? `job ${waitingFor[0]} is` : `${waitingFor.length} other jobs are`} complete.`;
