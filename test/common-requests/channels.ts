import { duration, streams } from './checks/container.ts';
import { levelChange, sameSamples } from './checks/sound.ts';
import type { CommonRequest } from './common-request.ts';

/** Audio channels: mixed, split, joined and swapped. */
export const CHANNELS: readonly CommonRequest[] = [
  {
    title: 'swaps left and right',
    source: 'ffmpeg documentation, filter channelmap',
    request: {
      input: 'left.wav',
      output: 'channels/swapped.wav',
      parameters: { af: 'channelmap=map=1|0:channel_layout=stereo' },
    },
    checks: [sameSamples('left.wav', 'pan=stereo|c0=c1|c1=c0')],
  },
  {
    title: 'mixes 5.1 surround down to stereo',
    source: 'ffmpeg wiki, "AudioChannelManipulation": 5.1 to stereo',
    request: { input: 'surround.flac', output: 'channels/downmix.wav', parameters: { ac: '2' } },
    // The FLAC has 24 bits, and the default of WAV are 16.
    warnings: ['BITS_LOST'],
    checks: [
      streams({ channels: 2 }),
      duration(3, 0.03),
      levelChange(0, 'surround.flac', 'anull', 'aresample=ochl=stereo'),
    ],
  },
  {
    title: 'mixes 5.1 surround down to stereo with given gains',
    source: 'ffmpeg wiki, "AudioChannelManipulation": pan',
    request: {
      input: 'surround.flac',
      output: 'channels/dialogue.flac',
      parameters: { af: 'pan=stereo|FL=0.5*FC+0.3*FL+0.2*BL|FR=0.5*FC+0.3*FR+0.2*BR', sample_fmt: 's16' },
    },
    checks: [
      streams({ channels: 2, bits_per_raw_sample: '16' }),
      levelChange(0, 'surround.flac', 'pan=mono|c0=c0', 'pan=mono|c0=0.5*FC+0.3*FL+0.2*BL'),
    ],
  },
  {
    title: 'mixes stereo down to mono',
    source: 'ffmpeg wiki, "AudioChannelManipulation": stereo to mono',
    request: { input: 'left.wav', output: 'channels/mono.wav', parameters: { ac: '1' } },
    checks: [streams({ channels: 1 }), levelChange(-6, 'voice.wav')],
  },
  {
    title: 'keeps only the left channel',
    source: 'ffmpeg wiki, "AudioChannelManipulation": one channel of stereo',
    request: { input: 'left.wav', output: 'channels/left-only.wav', parameters: { af: 'pan=mono|c0=FL' } },
    checks: [streams({ channels: 1 }), sameSamples('voice.wav')],
  },
  {
    title: 'puts the left channel on both sides',
    source: 'ffmpeg wiki, "AudioChannelManipulation": mono to stereo',
    request: { input: 'left.wav', output: 'channels/both.wav', parameters: { af: 'pan=stereo|c0=c0|c1=c0' } },
    checks: [streams({ channels: 2 }), sameSamples('voice.wav', 'pan=stereo|c0=c0|c1=c0')],
  },
  {
    title: 'splits stereo into one stream per channel',
    source: 'ffmpeg wiki, "AudioChannelManipulation": channelsplit',
    request: {
      input: 'left.wav',
      output: 'channels/split.mka',
      parameters: {
        filter_complex: '[0:a]channelsplit=channel_layout=stereo[l][r]',
        map: ['[l]', '[r]'],
        'c:a': 'flac',
      },
    },
    checks: [
      streams({ codec_name: 'flac', channels: 1 }, { codec_name: 'flac', channels: 1 }),
      sameSamples('voice.wav', 'anull', [], 'a:0'),
      sameSamples('voice.wav', 'volume=0', [], 'a:1'),
    ],
  },
  {
    title: 'joins two mono files as left and right',
    source: 'ffmpeg wiki, "AudioChannelManipulation": join',
    request: {
      inputs: ['voice.wav', 'gaps.wav'],
      output: 'channels/joined.wav',
      parameters: {
        filter_complex: '[0:a][1:a]join=inputs=2:channel_layout=stereo[a]',
        map: '[a]',
        t: '3',
      },
    },
    checks: [
      streams({ channels: 2, sample_rate: '44100' }),
      levelChange(0, 'voice.wav', 'pan=mono|c0=c0', 'anull'),
      levelChange(0, 'gaps.wav', 'pan=mono|c0=c1', 'atrim=0:3'),
    ],
  },
];
