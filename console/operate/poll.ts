/** Options of a query that is repeated while the page is visible. */
export const pollEvery = (seconds: number) =>
  ({ refetchInterval: seconds * 1000, refetchIntervalInBackground: false, refetchOnWindowFocus: true }) as const;
