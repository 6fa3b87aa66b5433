/**
 * A text of the service about a job. The text speaks to `owner`, the client of the job. If another client reads it, such as an administrator, it names
 * whose folder is meant. `reader`: undefined while the session is not read.
 */
export const textForReader = (text: string, owner: string, reader: string | undefined): string =>
  owner === reader ? text : text.replaceAll('your media root', () => `the media root of ${owner}`);
