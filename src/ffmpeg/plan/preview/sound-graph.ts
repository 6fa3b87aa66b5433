import type { PreviewView } from '../../../domain/preview.ts';
import type { Size } from './layout.ts';
import type { Sound } from './picture.ts';

/**
 * The most samples of a channel. The filters keep all samples in memory until the sound ends: this is 20 minutes at 48 kHz, and
 * two hours at 8 kHz.
 */
const MAX_SAMPLES = 60_000_000;

const RATES = [48_000, 32_000, 24_000, 16_000, 8000, 4000, 2000, 1000];

/** A waveform needs no treble: its columns are far longer than a sample. */
const WAVEFORM_RATE = 8000;

/** The one colour of a waveform, on a transparent ground. */
const COLOUR = '0x2563eb';

/** The rate at which the sound is read, in Hz. `seconds`: its duration. */
export function readRate(view: PreviewView, { sampleRate }: Sound, seconds: number): number {
  const most = Math.min(view === 'waveform' ? WAVEFORM_RATE : 48_000, MAX_SAMPLES / Math.max(1, seconds));
  return Math.min(sampleRate, RATES.find((rate) => rate <= most) ?? 1000);
}

/** Returns the graph that draws the sound, with the output `[o]`. */
export function soundGraph(view: PreviewView, { index }: Sound, rate: number, { width, height }: Size): string {
  const size = `s=${width}x${height}`;
  const source = `[0:${index}]aresample=${rate}`;
  return view === 'waveform'
    ? // At most two channels, one over the other. Their sum would hide sounds of opposite phase.
      `${source},aformat=channel_layouts=mono|stereo,showwavespic=${size}:draw=full:filter=peak:colors=${COLOUR}|${COLOUR},format=rgba[o]`
    : `${source},aformat=channel_layouts=mono,showspectrumpic=${size}:legend=0:color=intensity:scale=log,format=rgb24[o]`;
}
