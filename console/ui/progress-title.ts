/** The beginning of a title that says how far jobs are: `42 % · ` for one job, `3 jobs, 42 % · ` for several. '' if nothing runs. */
export function progressTitle(percents: readonly number[]): string {
  if (percents.length === 0) return '';
  // Only the end is 100 %.
  const mean = Math.min(99, Math.floor(percents.reduce((sum, one) => sum + one, 0) / percents.length));
  return `${percents.length === 1 ? '' : `${percents.length} jobs, `}${mean} % · `;
}
