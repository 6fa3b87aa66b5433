import { expect, test } from 'vitest';
import { unknownProgressText } from './progress-text.ts';

test('a GIF says that its colours are chosen while no frame is written', () => {
  const vf = 'fps=12,split[a][b];[a]palettegen[p];[b][p]paletteuse';
  expect(unknownProgressText({ parameters: { vf } })).toBe('Choosing the colours…');
  expect(unknownProgressText({ requestedOutputs: [{ output: 'a.gif', parameters: { vf } }] })).toBe(
    'Choosing the colours…',
  );
  expect(unknownProgressText({ parameters: { vf: 'scale=640:-2' } })).toBe('…');
  expect(unknownProgressText({})).toBe('…');
});
