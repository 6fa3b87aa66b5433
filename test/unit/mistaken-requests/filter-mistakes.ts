import type { Mistake } from './mistake.ts';

/** Mistakes in filtergraphs. */
export const FILTER_MISTAKES: readonly Mistake[] = [
  [{ vf: 'drawtext=text=A:size=36:font_color=white' }, { vf: 'drawtext=text=A:fontsize=36:fontcolor=white' }],
  [{ vf: 'scale=width=100:heigth=50' }, { vf: 'scale=width=100:height=50' }],
  [{ vf: 'crop=width=100:height=100:left=0' }, { vf: 'crop=w=100:h=100:x=0' }],
  [{ vf: 'gblur=radius=5' }, { vf: 'gblur=sigma=5' }],
  [{ vf: 'transpose=direction=1' }, { vf: 'transpose=dir=1' }],
  [{ af: 'highpass=freq=200' }, { af: 'highpass=frequency=200' }],
  [{ af: 'equalizer=freq=1000:gain=5' }, { af: 'equalizer=frequency=1000:gain=5' }],
  [{ af: 'adelay=delay=500' }, { af: 'adelay=delays=500' }],
];
