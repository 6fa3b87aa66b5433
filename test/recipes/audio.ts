import { expect } from 'vitest';
import { format, lasts, streams } from './checks/container.ts';
import { samePackets } from './checks/packets.ts';
import { sizeBetween } from './checks/size.ts';
import { levelBetween, louderBelow, louderBetween, louderBy, loudness, sameSamples, silent } from './checks/sound.ts';
import type { Recipe } from './recipe.ts';

const stereo = { channels: 2, sample_rate: '48000' };
const mono = { channels: 1, sample_rate: '44100' };

/** Sound files, codecs and channels. */
export const AUDIO: readonly Recipe[] = [
  {
    title: 'the sound of a film as it is',
    source: 'question sites: "extract audio from video without re-encoding"',
    request: { input: 'small.mp4', output: 'audio/as-is.m4a', parameters: { vn: '', 'c:a': 'copy' } },
    checks: [streams({ codec_name: 'aac', ...stereo }), samePackets('small.mp4', 'a:0')],
  },
  {
    title: 'the sound of a WebM as it is',
    source: 'question sites: "extract opus or vorbis from webm"',
    request: { input: 'lena.webm', output: 'audio/as-is.ogg', parameters: { vn: '', 'c:a': 'copy' } },
    checks: [format('ogg'), samePackets('lena.webm', 'a:0')],
  },
  {
    title: 'sounds of many kinds as one',
    source: 'question sites: "join mp3, ogg and m4a"',
    request: {
      inputs: [
        { input: 'lena.webm', parameters: { t: '1' } },
        { input: 'lena.m4a', parameters: { t: '1' } },
        { input: 'lena.opus', parameters: { t: '1' } },
        { input: 'lena.mp3', parameters: { t: '1' } },
      ],
      output: 'audio/many.aiff',
      parameters: { filter_complex: '[0:a][1:a][2:a][3:a]concat=n=4:v=0:a=1[a]', map: '[a]', ac: '1', ar: '22050' },
    },
    checks: [format('aiff'), streams({ codec_name: 'pcm_s16be', channels: 1, sample_rate: '22050' }), lasts(4, 0.15)],
  },
  {
    title: 'left and right changed',
    source: 'ffmpeg documentation, filter channelmap',
    request: {
      input: 'left.wav',
      output: 'audio/swapped.wav',
      parameters: { af: 'channelmap=map=1|0:channel_layout=stereo' },
    },
    checks: [sameSamples('left.wav', 'pan=stereo|c0=c1|c1=c0')],
  },
  {
    title: 'MP3 of a variable bit rate',
    source: 'ffmpeg wiki, "Encode/MP3"',
    request: { input: 'lena.flac', output: 'audio/vbr.mp3', parameters: { 'c:a': 'libmp3lame', 'q:a': '2' } },
    checks: [format('mp3'), streams({ codec_name: 'mp3', ...mono }), lasts(12.27, 0.06), louderBy(0, 'lena.flac')],
  },
  {
    title: 'MP3 of a constant bit rate out of a film',
    source: 'question sites: "mp4 to mp3"',
    request: {
      input: 'small.mp4',
      output: 'audio/cbr.mp3',
      parameters: { vn: '', 'b:a': '192k', ar: '44100', ac: '2' },
    },
    checks: [streams({ codec_name: 'mp3', bit_rate: '192000', sample_rate: '44100', channels: 2 }), lasts(2, 0.08)],
  },
  {
    title: 'AAC in an MP4 for sound',
    source: 'ffmpeg wiki, "Encode/AAC"',
    request: { input: 'lena.flac', output: 'audio/lena.m4a', parameters: { 'c:a': 'aac', 'b:a': '128k' } },
    checks: [streams({ codec_name: 'aac', profile: 'LC', ...mono }), lasts(12.27, 0.03), louderBy(0, 'lena.flac')],
  },
  {
    title: 'Opus for speech',
    source: 'ffmpeg documentation, encoder libopus',
    request: {
      input: 'lena.flac',
      output: 'audio/speech.opus',
      parameters: { 'c:a': 'libopus', 'b:a': '24k', application: 'voip', vbr: 'on' },
    },
    checks: [format('ogg'), streams({ codec_name: 'opus', channels: 1 }), lasts(12.27, 0.03)],
  },
  {
    title: 'Vorbis by quality',
    source: 'ffmpeg wiki, "TheoraVorbisEncodingGuide"',
    request: { input: 'stereo.wav', output: 'audio/vorbis.ogg', parameters: { 'c:a': 'libvorbis', 'q:a': '5' } },
    checks: [streams({ codec_name: 'vorbis', ...stereo }), lasts(3, 0.03), louderBy(0, 'stereo.wav')],
  },
  {
    title: 'FLAC, as small as it gets',
    source: 'ffmpeg documentation, encoder flac',
    request: { input: 'voice.wav', output: 'audio/small.flac', parameters: { 'c:a': 'flac', compression_level: '12' } },
    checks: [streams({ codec_name: 'flac', ...mono, bits_per_raw_sample: '16' }), sameSamples('voice.wav')],
  },
  {
    title: 'ALAC for Apple’s players',
    source: 'question sites: "flac to alac"',
    request: { input: 'lena.flac', output: 'audio/lossless.m4a', parameters: { 'c:a': 'alac', vn: '' } },
    checks: [streams({ codec_name: 'alac', ...mono }), sameSamples('lena.flac')],
  },
  {
    title: 'a WAV of 24 bits',
    source: 'question sites: "flac to 24 bit wav"',
    request: { input: 'lena.flac', output: 'audio/24.wav', parameters: { 'c:a': 'pcm_s24le' } },
    checks: [streams({ codec_name: 'pcm_s24le', bits_per_sample: 24 }), sameSamples('lena.flac')],
  },
  {
    title: 'a WAV as speech recognisers want it',
    source: 'question sites: "convert audio for speech recognition, 16 kHz mono"',
    request: {
      input: 'movie.mp4',
      output: 'audio/recognise.wav',
      parameters: { vn: '', 'c:a': 'pcm_s16le', ar: '16000', ac: '1' },
    },
    checks: [streams({ codec_name: 'pcm_s16le', sample_rate: '16000', channels: 1 }), lasts(3, 0.08)],
  },
  {
    title: 'another rate by the better resampler',
    source: 'ffmpeg documentation, "Resampler options": soxr',
    request: {
      input: 'voice.wav',
      output: 'audio/soxr.flac',
      parameters: { af: 'aresample=resampler=soxr:precision=28', ar: '48000' },
    },
    checks: [
      streams({ codec_name: 'flac', sample_rate: '48000', channels: 1 }),
      lasts(3, 0.001),
      louderBy(0, 'voice.wav'),
    ],
  },
  {
    title: 'surround to stereo',
    source: 'ffmpeg wiki, "AudioChannelManipulation": 5.1 to stereo',
    request: { input: 'surround.flac', output: 'audio/downmix.wav', parameters: { ac: '2' } },
    checks: [streams({ channels: 2 }), lasts(3, 0.03), louderBy(0, 'surround.flac', 'anull', 'aresample=ochl=stereo')],
  },
  {
    title: 'surround to stereo by gains of one’s own, the voices forward',
    source: 'ffmpeg wiki, "AudioChannelManipulation": pan',
    request: {
      input: 'surround.flac',
      output: 'audio/dialogue.flac',
      parameters: { af: 'pan=stereo|FL=0.5*FC+0.3*FL+0.2*BL|FR=0.5*FC+0.3*FR+0.2*BR', sample_fmt: 's16' },
    },
    checks: [
      streams({ channels: 2, bits_per_raw_sample: '16' }),
      louderBy(0, 'surround.flac', 'pan=mono|c0=c0', 'pan=mono|c0=0.5*FC+0.3*FL+0.2*BL'),
    ],
  },
  {
    title: 'stereo to mono',
    source: 'ffmpeg wiki, "AudioChannelManipulation": stereo to mono',
    request: { input: 'left.wav', output: 'audio/mono.wav', parameters: { ac: '1' } },
    checks: [streams({ channels: 1 }), louderBy(-6, 'voice.wav')],
  },
  {
    title: 'the left channel alone',
    source: 'ffmpeg wiki, "AudioChannelManipulation": one channel of stereo',
    request: { input: 'left.wav', output: 'audio/left-only.wav', parameters: { af: 'pan=mono|c0=FL' } },
    checks: [streams({ channels: 1 }), sameSamples('voice.wav')],
  },
  {
    title: 'the left channel on both sides',
    source: 'ffmpeg wiki, "AudioChannelManipulation": mono to stereo',
    request: { input: 'left.wav', output: 'audio/both.wav', parameters: { af: 'pan=stereo|c0=c0|c1=c0' } },
    checks: [streams({ channels: 2 }), sameSamples('voice.wav', 'pan=stereo|c0=c0|c1=c0')],
  },
  {
    title: 'each channel a stream of its own',
    source: 'ffmpeg wiki, "AudioChannelManipulation": channelsplit',
    request: {
      input: 'left.wav',
      output: 'audio/split.mka',
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
    title: 'two mono files as left and right',
    source: 'ffmpeg wiki, "AudioChannelManipulation": join',
    request: {
      inputs: ['voice.wav', 'gaps.wav'],
      output: 'audio/joined.wav',
      parameters: {
        filter_complex: '[0:a][1:a]join=inputs=2:channel_layout=stereo[a]',
        map: '[a]',
        t: '3',
      },
    },
    checks: [
      streams({ channels: 2, sample_rate: '44100' }),
      louderBy(0, 'voice.wav', 'pan=mono|c0=c0', 'anull'),
      louderBy(0, 'gaps.wav', 'pan=mono|c0=c1', 'atrim=0:3'),
    ],
  },
  {
    title: 'louder by six decibels',
    source: 'ffmpeg wiki, "AudioVolume"',
    request: { input: 'voice.wav', output: 'audio/louder.wav', parameters: { af: 'volume=6dB' } },
    checks: [louderBy(6, 'voice.wav'), lasts(3, 0)],
  },
  {
    title: 'as loud as broadcast wants it',
    source: 'ffmpeg documentation, filter loudnorm',
    request: {
      input: 'lena.flac',
      output: 'audio/loudnorm.wav',
      parameters: { af: 'loudnorm=I=-23:TP=-2:LRA=7', ar: '48000' },
    },
    checks: [streams({ sample_rate: '48000' }), loudness(-23), lasts(12.27, 0.03)],
  },
  {
    title: 'quiet parts raised',
    source: 'ffmpeg documentation, filter dynaudnorm',
    request: { input: 'uneven.wav', output: 'audio/even.wav', parameters: { af: 'dynaudnorm=f=150:g=5:m=50' } },
    checks: [levelBetween(-28, -5, 'atrim=0.2:1.2'), levelBetween(-28, -5, 'atrim=1.8:2.8')],
  },
  {
    title: 'loud parts held down',
    source: 'ffmpeg documentation, filter acompressor',
    request: {
      input: 'uneven.wav',
      output: 'audio/compressed.wav',
      parameters: { af: 'acompressor=threshold=0.05:ratio=10:attack=5:release=100:makeup=1' },
    },
    checks: [louderBy(0, 'uneven.wav', 'atrim=0:1.4'), louderBelow(-3, 'uneven.wav', 'atrim=1.7:3')],
  },
  {
    title: 'faded in and out',
    source: 'ffmpeg documentation, filter afade',
    request: {
      input: 'stereo.wav',
      output: 'audio/faded.wav',
      parameters: { af: 'afade=t=in:st=0:d=0.5,afade=t=out:st=2.5:d=0.5' },
    },
    checks: [
      louderBy(0, 'stereo.wav', 'atrim=0.6:2.4'),
      louderBelow(-15, 'stereo.wav', 'atrim=0:0.05'),
      louderBelow(-15, 'stereo.wav', 'atrim=2.95:3'),
    ],
  },
  {
    title: 'silence before and after it removed',
    source: 'question sites: "trim silence at start and end", silenceremove and areverse',
    request: {
      input: 'gaps.wav',
      output: 'audio/trimmed.wav',
      parameters: {
        af: 'silenceremove=start_periods=1:start_threshold=-60dB,areverse,silenceremove=start_periods=1:start_threshold=-60dB,areverse',
      },
    },
    checks: [lasts(2, 0.1), silent()],
  },
  {
    title: 'a part of an MP3, without encoding',
    source: 'question sites: "cut mp3 without re-encoding"',
    request: {
      input: 'lena.mp3',
      output: 'audio/part.mp3',
      parameters: { ss: '2', t: '3', c: 'copy' },
    },
    checks: [streams({ codec_name: 'mp3' }), lasts(3, 0.06)],
  },
  {
    title: 'music under a voice',
    source: 'ffmpeg documentation, filter amix',
    request: {
      inputs: ['voice.wav', 'stereo.wav'],
      output: 'audio/mixed.flac',
      parameters: {
        filter_complex: '[1:a]volume=0.3[low];[0:a][low]amix=inputs=2:duration=first:normalize=0[a]',
        map: '[a]',
      },
    },
    checks: [
      lasts(3, 0.001),
      // Mono is put on both sides at three decibels less.
      louderBetween(-3.5, 0, 'voice.wav'),
    ],
  },
  {
    title: 'music that makes way for a voice',
    source: 'question sites: "audio ducking", sidechaincompress',
    request: {
      inputs: ['stereo.wav', 'gaps.wav'],
      output: 'audio/ducked.wav',
      parameters: {
        filter_complex:
          '[1:a]aformat=sample_rates=48000:channel_layouts=stereo[key];' +
          '[0:a][key]sidechaincompress=threshold=0.01:ratio=20:attack=5:release=50[a]',
        map: '[a]',
        t: '2.8',
      },
    },
    checks: [louderBy(0, 'stereo.wav', 'atrim=0.1:0.9'), louderBelow(-3, 'stereo.wav', 'atrim=1.2:2.8')],
  },
  {
    title: 'later by half a second',
    source: 'ffmpeg documentation, filter adelay',
    request: { input: 'voice.wav', output: 'audio/later.wav', parameters: { af: 'adelay=500:all=1' } },
    checks: [lasts(3.5, 0.001), sameSamples('voice.wav', 'adelay=500:all=1'), levelBetween(-200, -90, 'atrim=0:0.5')],
  },
  {
    title: 'the sound of a film moved against its pictures',
    source: 'ffmpeg wiki, "UnderstandingItsoffset"',
    request: {
      inputs: ['small.mp4', { input: 'small.mp4', parameters: { itsoffset: '0.5' } }],
      output: 'audio/shifted.mkv',
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
    title: 'a silent track for a film that has none',
    source: 'question sites: "add silent audio to video", anullsrc',
    request: {
      input: 'noisy.mp4',
      output: 'audio/silent.mp4',
      parameters: {
        filter_complex: 'anullsrc=channel_layout=stereo:sample_rate=48000[a]',
        map: ['0:v', '[a]'],
        'c:v': 'copy',
        'c:a': 'aac',
        shortest: '',
      },
    },
    checks: [streams({ codec_name: 'h264' }, { codec_name: 'aac', ...stereo }), lasts(2, 0.1), levelBetween(-200, -90)],
  },
  {
    title: 'as long as the pictures, with silence',
    source: 'ffmpeg documentation, filter apad',
    request: {
      inputs: ['movie.mp4', 'other.mp4'],
      output: 'audio/padded.mp4',
      parameters: { map: ['0:v', '1:a'], 'c:v': 'copy', af: 'apad', 'c:a': 'aac', shortest: '' },
    },
    checks: [lasts(3, 0.15), silent([2, 3.05])],
  },
  {
    title: 'one song into the next',
    source: 'ffmpeg documentation, filter acrossfade',
    request: {
      inputs: ['voice.wav', 'gaps.wav'],
      output: 'audio/crossed.flac',
      parameters: { filter_complex: '[0:a][1:a]acrossfade=d=1:c1=tri:c2=tri[a]', map: '[a]' },
    },
    checks: [lasts(3 + 4 - 1, 0.02), louderBy(0, 'voice.wav', 'atrim=0:2')],
  },
  {
    title: 'a voice as over the telephone',
    source: 'ffmpeg documentation, filters highpass and lowpass',
    request: {
      input: 'voice.wav',
      output: 'audio/telephone.wav',
      parameters: { af: 'highpass=f=300,lowpass=f=3400', 'c:a': 'pcm_mulaw', ar: '8000' },
    },
    checks: [
      streams({ codec_name: 'pcm_mulaw', sample_rate: '8000', channels: 1 }),
      louderBelow(-6, 'voice.wav', 'lowpass=f=120,lowpass=f=120'),
    ],
  },
  {
    title: 'more bass',
    source: 'ffmpeg documentation, filters bass and equalizer',
    request: { input: 'voice.wav', output: 'audio/bass.wav', parameters: { af: 'volume=-9dB,bass=g=9:f=300' } },
    checks: [
      louderBetween(-2, 0.5, 'voice.wav', 'lowpass=f=60,lowpass=f=60'),
      louderBy(-9, 'voice.wav', 'highpass=f=2000,highpass=f=2000'),
    ],
  },
  {
    title: 'surround as AC-3',
    source: 'question sites: "convert audio to ac3 5.1"',
    request: { input: 'surround.flac', output: 'audio/surround.ac3', parameters: { 'c:a': 'ac3', 'b:a': '448k' } },
    checks: [
      streams({ codec_name: 'ac3', channels: 6, channel_layout: '5.1(side)', bit_rate: '448000' }),
      lasts(3, 0.04),
    ],
  },
  {
    title: 'raw samples of a telephone system',
    source: 'question sites: "convert raw pcm to wav"',
    request: {
      inputs: [{ input: 'voice.pcm', parameters: { f: 's16le', ar: '16000', ac: '1' } }],
      output: 'audio/from-raw.wav',
    },
    checks: [
      streams({ codec_name: 'pcm_s16le', sample_rate: '16000', channels: 1 }),
      lasts(3, 0.001),
      louderBy(0, 'voice.wav'),
    ],
  },
  {
    title: 'raw samples for a program of one’s own',
    source: 'question sites: "mp3 to raw pcm s16le"',
    request: {
      input: 'lena.mp3',
      output: 'audio/raw.pcm',
      format: 's16le',
      parameters: { ar: '8000', ac: '1', t: '2' },
    },
    checks: [sizeBetween(32_000, 32_000)],
  },
  {
    title: 'sound without its noise',
    source: 'ffmpeg documentation, filter afftdn',
    request: { input: 'voice.wav', output: 'audio/clean.wav', parameters: { af: 'afftdn=nr=20:nf=-40' } },
    checks: [lasts(3, 0.05), louderBetween(-3, 0.5, 'voice.wav')],
  },
];
