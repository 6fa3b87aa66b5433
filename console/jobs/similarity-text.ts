/** What an SSIM means for viewers, the highest first. The levels are those of `quality.target`. */
const LEVELS = [
  { least: 0.98, text: 'looks like the source' },
  { least: 0.95, text: 'close to the source' },
  { least: 0.9, text: 'visibly different from the source' },
] as const;

/** Describes the similarity of an output to its source: `SSIM 0.987: looks like the source`. */
export function similarityText(ssim: number): string {
  const level = LEVELS.find(({ least }) => ssim >= least)?.text ?? 'very different from the source';
  return `SSIM ${ssim.toFixed(3)}: ${level}`;
}
