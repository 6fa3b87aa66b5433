const srt = (first: string, second: string): string =>
  `1\n00:00:00,200 --> 00:00:00,900\n${first}\n\n2\n00:00:01,100 --> 00:00:01,800\n${second}\n`;

/** A LUT that swaps red and blue. */
const redBlueSwap = (['0 0 0', '0 0 1', '0 1 0', '0 1 1', '1 0 0', '1 0 1', '1 1 0', '1 1 1'] as const).join('\n');

/** The text inputs by file name. */
export const FILES = {
  'words.srt': srt('Good morning', 'Größe & Maß'),
  'worte.srt': srt('Guten Morgen', 'Zweite Zeile'),
  'swap.cube': `LUT_3D_SIZE 2\n${redBlueSwap}\n`,
  'styled.ass': `[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Alignment
Style: Default,DejaVu Sans,20,&H00FFFFFF,0,2

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.50,0:00:01.50,Default,,0,0,0,,{\\b1}Bold{\\b0} words
`,
  'chapters.txt': `;FFMETADATA1
title=Two chapters
[CHAPTER]
TIMEBASE=1/1000
START=0
END=750
title=Opening
[CHAPTER]
TIMEBASE=1/1000
START=750
END=2000
title=The rest
`,
} as const;
