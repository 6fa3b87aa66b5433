import { expect } from 'vitest';
import { duration, streams } from './checks/container.ts';
import { samePackets } from './checks/packets.ts';
import {
  levelBetween,
  levelChange,
  levelChangeBelow,
  levelChangeBetween,
  loudness,
  sameSamples,
  silentSpans,
} from './checks/sound.ts';
import type { CommonRequest } from './common-request.ts';

const stereo = { channels: 2, sample_rate: '48000' };

/** Volume, dynamics, silence, delay and mixing of audio. */
export const SOUND: readonly CommonRequest[] = [
  {
    title: 'raises the volume by 6 dB',
    source: 'ffmpeg wiki, "AudioVolume"',
    request: { input: 'voice.wav', output: 'sound/louder.wav', parameters: { af: 'volume=6dB' } },
    checks: [levelChange(6, 'voice.wav'), duration(3, 0)],
  },
  {
    title: 'normalizes the loudness for broadcast',
    source: 'ffmpeg documentation, filter loudnorm',
    request: {
      input: 'lena.flac',
      output: 'sound/loudnorm.wav',
      parameters: { af: 'loudnorm=I=-23:TP=-2:LRA=7', ar: '48000' },
    },
    checks: [streams({ sample_rate: '48000' }), loudness(-23), duration(12.27, 0.03)],
  },
  {
    title: 'raises quiet parts',
    source: 'ffmpeg documentation, filter dynaudnorm',
    request: { input: 'uneven.wav', output: 'sound/even.wav', parameters: { af: 'dynaudnorm=f=150:g=5:m=50' } },
    checks: [levelBetween(-28, -5, 'atrim=0.2:1.2'), levelBetween(-28, -5, 'atrim=1.8:2.8')],
  },
  {
    title: 'compresses loud parts',
    source: 'ffmpeg documentation, filter acompressor',
    request: {
      input: 'uneven.wav',
      output: 'sound/compressed.wav',
      parameters: { af: 'acompressor=threshold=0.05:ratio=10:attack=5:release=100:makeup=1' },
    },
    checks: [levelChange(0, 'uneven.wav', 'atrim=0:1.4'), levelChangeBelow(-3, 'uneven.wav', 'atrim=1.7:3')],
  },
  {
    title: 'fades audio in and out',
    source: 'ffmpeg documentation, filter afade',
    request: {
      input: 'stereo.wav',
      output: 'sound/faded.wav',
      parameters: { af: 'afade=t=in:st=0:d=0.5,afade=t=out:st=2.5:d=0.5' },
    },
    checks: [
      levelChange(0, 'stereo.wav', 'atrim=0.6:2.4'),
      levelChangeBelow(-15, 'stereo.wav', 'atrim=0:0.05'),
      levelChangeBelow(-15, 'stereo.wav', 'atrim=2.95:3'),
    ],
  },
  {
    title: 'removes silence at the start and the end',
    source: 'question sites: "trim silence at start and end", silenceremove and areverse',
    request: {
      input: 'gaps.wav',
      output: 'sound/trimmed.wav',
      parameters: {
        af: 'silenceremove=start_periods=1:start_threshold=-60dB,areverse,silenceremove=start_periods=1:start_threshold=-60dB,areverse',
      },
    },
    checks: [duration(2, 0.1), silentSpans()],
  },
  {
    title: 'mixes music with a voice',
    source: 'ffmpeg documentation, filter amix',
    request: {
      inputs: ['voice.wav', 'stereo.wav'],
      output: 'sound/mixed.flac',
      parameters: {
        filter_complex: '[1:a]volume=0.3[low];[0:a][low]amix=inputs=2:duration=first:normalize=0[a]',
        map: '[a]',
      },
    },
    checks: [
      duration(3, 0.001),
      // In stereo each side gets the mono voice with 3 dB less.
      levelChangeBetween(-3.5, 0, 'voice.wav'),
    ],
  },
  {
    title: 'lowers the music while a voice speaks',
    source: 'question sites: "audio ducking", sidechaincompress',
    request: {
      inputs: ['stereo.wav', 'gaps.wav'],
      output: 'sound/ducked.wav',
      parameters: {
        filter_complex:
          '[1:a]aformat=sample_rates=48000:channel_layouts=stereo[key];' +
          '[0:a][key]sidechaincompress=threshold=0.01:ratio=20:attack=5:release=50[a]',
        map: '[a]',
        t: '2.8',
      },
    },
    checks: [levelChange(0, 'stereo.wav', 'atrim=0.1:0.9'), levelChangeBelow(-3, 'stereo.wav', 'atrim=1.2:2.8')],
  },
  {
    title: 'delays audio by half a second',
    source: 'ffmpeg documentation, filter adelay',
    request: { input: 'voice.wav', output: 'sound/later.wav', parameters: { af: 'adelay=500:all=1' } },
    checks: [
      duration(3.5, 0.001),
      sameSamples('voice.wav', 'adelay=500:all=1'),
      levelBetween(-200, -90, 'atrim=0:0.5'),
    ],
  },
  {
    title: 'shifts the audio of a video in time',
    source: 'ffmpeg wiki, "UnderstandingItsoffset"',
    request: {
      inputs: ['small.mp4', { input: 'small.mp4', parameters: { itsoffset: '0.5' } }],
      output: 'sound/shifted.mkv',
      parameters: { map: ['0:v', '1:a'], c: 'copy' },
    },
    checks: [
      streams(
        { codec_name: 'h264', start_time: '0.000000' },
        { codec_name: 'aac', start_time: expect.stringMatching(/^0\.(47|5)/) },
      ),
      samePackets('small.mp4', 'a:0'),
    ],
  },
  {
    title: 'adds a silent audio track',
    source: 'question sites: "add silent audio to video", anullsrc',
    request: {
      input: 'noisy.mp4',
      output: 'sound/silent.mp4',
      parameters: {
        filter_complex: 'anullsrc=channel_layout=stereo:sample_rate=48000[a]',
        map: ['0:v', '[a]'],
        'c:v': 'copy',
        'c:a': 'aac',
        shortest: '',
      },
    },
    checks: [
      streams({ codec_name: 'h264' }, { codec_name: 'aac', ...stereo }),
      duration(2, 0.1),
      levelBetween(-200, -90),
    ],
  },
  {
    title: 'pads the audio with silence to the length of the video',
    source: 'ffmpeg documentation, filter apad',
    request: {
      inputs: ['movie.mp4', 'other.mp4'],
      output: 'sound/padded.mp4',
      parameters: { map: ['0:v', '1:a'], 'c:v': 'copy', af: 'apad', 'c:a': 'aac', shortest: '' },
    },
    checks: [duration(3, 0.15), silentSpans([2, 3.05])],
  },
  {
    title: 'crossfades two audio files',
    source: 'ffmpeg documentation, filter acrossfade',
    request: {
      inputs: ['voice.wav', 'gaps.wav'],
      output: 'sound/crossed.flac',
      parameters: { filter_complex: '[0:a][1:a]acrossfade=d=1:c1=tri:c2=tri[a]', map: '[a]' },
    },
    checks: [duration(3 + 4 - 1, 0.02), levelChange(0, 'voice.wav', 'atrim=0:2')],
  },
  {
    title: 'makes a voice sound like a telephone',
    source: 'ffmpeg documentation, filters highpass and lowpass',
    request: {
      input: 'voice.wav',
      output: 'sound/telephone.wav',
      parameters: { af: 'highpass=f=300,lowpass=f=3400', 'c:a': 'pcm_mulaw', ar: '8000' },
    },
    checks: [
      streams({ codec_name: 'pcm_mulaw', sample_rate: '8000', channels: 1 }),
      levelChangeBelow(-6, 'voice.wav', 'lowpass=f=120,lowpass=f=120'),
    ],
  },
  {
    title: 'boosts the bass',
    source: 'ffmpeg documentation, filters bass and equalizer',
    request: { input: 'voice.wav', output: 'sound/bass.wav', parameters: { af: 'volume=-9dB,bass=g=9:f=300' } },
    checks: [
      levelChangeBetween(-2, 0.5, 'voice.wav', 'lowpass=f=60,lowpass=f=60'),
      levelChange(-9, 'voice.wav', 'highpass=f=2000,highpass=f=2000'),
    ],
  },
  {
    title: 'removes noise from audio',
    source: 'ffmpeg documentation, filter afftdn',
    request: { input: 'voice.wav', output: 'sound/clean.wav', parameters: { af: 'afftdn=nr=20:nf=-40' } },
    checks: [duration(3, 0.05), levelChangeBetween(-3, 0.5, 'voice.wav')],
  },
];
