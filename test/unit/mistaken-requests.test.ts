import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../src/domain/conversion.ts';
import { FILTERS } from '../../src/ffmpeg/allowlist/filters.ts';
import { componentOf } from '../../src/ffmpeg/catalogue/catalogue.ts';
import { checkFilter } from '../../src/ffmpeg/filtergraph/check-filter.ts';
import type { ValueError } from '../../src/ffmpeg/values/value-error.ts';
import { corrected, film, mistakesIn, type Parameters } from '../support/mistakes.ts';
import { CATALOGUE } from '../support/planning.ts';

/** Requests with one mistake, as people write them, and what the fix makes of them. */

test.each<[mistake: Parameters, meant: Parameters, output?: string]>([
  [{ 'b:v': '2500' }, { 'b:v': '2500k' }],
  [{ 'b:a': '128' }, { 'b:a': '128k' }],
  [{ 'b:v': '4' }, { 'b:v': '4M' }],
  [{ 'b:v': '2m' }, { 'b:v': '2M' }],
  [{ 'b:a': '128m' }, { 'b:a': '128k' }],
  ...['2mbps', '2 Mbps', '2Mbit/s', '2 mbit/s', '2MBPS', '2mb', '2Mbits/s', '2mbitps'].map(
    (sent): [Parameters, Parameters] => [{ 'b:v': sent }, { 'b:v': '2M' }],
  ),
  [{ 'b:v': '800kbps' }, { 'b:v': '800k' }],
  [{ 'b:v': '800 Kbit/s' }, { 'b:v': '800K' }],
  [{ vf: '[0:v:1]hflip' }, { filter_complex: '[0:v:1]hflip[v]', map: ['[v]', '0:a?'] }],
  [{ vf: '[0:a]showwaves' }, { filter_complex: '[0:a]showwaves[v]', map: ['[v]', '0:a?'] }],
  [{ ss: '00:00:02:12' }, { ss: '00:00:02.48' }],
  [{ vf: 'showwaves' }, { filter_complex: '[0:a]showwaves[v]', map: ['[v]', '0:a?'] }],
  [{ af: '[0:a:1]volume=2' }, { filter_complex: '[0:a:1]volume=2[a]', map: ['0:v?', '[a]'] }],
  [
    { maxrate: '2500', bufsize: '5000' },
    { maxrate: '2500k', bufsize: '5000k' },
  ],
  [{ s: '1280' }, { vf: 'scale=1280:-2' }],
  [{ s: '1280x-1' }, { vf: 'scale=1280:-2' }],
  [{ s: '-2x720' }, { vf: 'scale=-2:720' }],
  [{ shortest: 'yes' }, { shortest: '' }],
  [{ shortest: '1' }, { shortest: '' }],
  [{ an: 'no' }, {}],
  [{ timecode: '1:2:3' }, { timecode: '01:02:03:00' }],
  [{ timecode: '01:00:00' }, { timecode: '01:00:00:00' }],
  [{ vf: 'drawtext=text=hi:fontcolor=rgb(255,0,0)' }, { vf: 'drawtext=text=hi:fontcolor=#ff0000' }],
  [{ vf: 'drawtext=text=hi:fontcolor=rgba(0, 0, 0, 0.5)' }, { vf: 'drawtext=text=hi:fontcolor=#000000@0.5' }],
  [{ vf: 'drawbox=color=hsl(120,50%,50%)' }, { vf: 'drawbox=color=#40bf40' }],
  [{ 'q:v': '90', 'frames:v': '1' }, { 'q:v': '5', 'frames:v': '1' }, 'b.jpg'],
  [
    { 'q:v': '50', 'c:v': 'mpeg4' },
    { 'q:v': '17', 'c:v': 'mpeg4' },
  ],
  [
    { pix_fmt: 'yuva420p', 'c:v': 'libx264' },
    { pix_fmt: 'yuv420p', 'c:v': 'libx264' },
  ],
  [
    { pix_fmt: 'yuv420p10le', 'c:v': 'mpeg4' },
    { pix_fmt: 'yuv420p', 'c:v': 'mpeg4' },
  ],
  [{ filter_complex: '[0:v]volume=2[a]', map: '[a]' }, { filter_complex: '[0:a]volume=2[a]', map: '[a]' }, 'b.m4a'],
  [{ filter_complex: '[0:a]fade=d=1[a]', map: '[a]' }, { filter_complex: '[0:a]afade=d=1[a]', map: '[a]' }, 'b.m4a'],
  [
    { filter_complex: '[0:a:1]hflip[v]', map: '[v]' },
    { filter_complex: '[0:v:1]hflip[v]', map: '[v]' },
  ],
  [
    { filter_complex: '[0:v]showwaves[v]', map: '[v]' },
    { filter_complex: '[0:a]showwaves[v]', map: '[v]' },
  ],
  [
    { filter_complex: '[0:a:0][0:a:1]concat=n=2[a]', map: '[a]' },
    { filter_complex: '[0:a:0][0:a:1]concat=n=2:v=0:a=1[a]', map: '[a]' },
    'b.m4a',
  ],
  [
    { filter_complex: '[0:v]scale=426:240[s];[s]null[a];[s]hflip[b];[a][b]hstack[v]', map: '[v]' },
    { filter_complex: '[0:v]scale=426:240[s];[s]split=2[s1][s2];[s1]null[a];[s2]hflip[b];[a][b]hstack[v]', map: '[v]' },
  ],
  [
    { filter_complex: '[0:a]volume=2[s];[s]anull[x];[s]aecho[y];[x][y]amix[a]', map: '[a]' },
    { filter_complex: '[0:a]volume=2[s];[s]asplit=2[s1][s2];[s1]anull[x];[s2]aecho[y];[x][y]amix[a]', map: '[a]' },
    'b.m4a',
  ],
  [{ force_key_frames: '2' }, { force_key_frames: 'expr:gte(t,n_forced*2)' }],
  [{ 'metadata:s:a:0': 'lang=german' }, { 'metadata:s:a:0': 'language=ger' }],
  [{ 'metadata:s:a:0': 'language=en' }, { 'metadata:s:a:0': 'language=eng' }],
  [
    { vf: 'tonemap=hable,format=yuv420p' },
    {
      vf: 'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable,zscale=t=bt709:m=bt709:r=tv,format=yuv420p',
    },
  ],
  [{ af: 'acompressor=threshold=-20:ratio=4' }, { af: 'acompressor=threshold=-20dB:ratio=4' }],
  // Words of other encoders.
  [{ 'c:v': 'libx265', tune: 'film' }, { 'c:v': 'libx265' }],
  [
    { 'c:v': 'libx265', tune: 'grain,zerolatency' },
    { 'c:v': 'libx265', tune: 'grain' },
  ],
  [{ 'c:v': 'libx264', tune: 'hq' }, { 'c:v': 'libx264' }],
  [
    { 'c:v': 'libx264', tune: 'ull' },
    { 'c:v': 'libx264', tune: 'zerolatency' },
  ],
  [
    { 'c:v': 'libx264', preset: 'p4' },
    { 'c:v': 'libx264', preset: 'medium' },
  ],
  [
    { 'c:v': 'libx265', preset: 'P7' },
    { 'c:v': 'libx265', preset: 'veryslow' },
  ],
  [
    { 'c:v': 'libx264', preset: '12' },
    { 'c:v': 'libx264', preset: 'superfast' },
  ],
  [
    { 'c:v': 'libx264', preset: '8' },
    { 'c:v': 'libx264', preset: 'veryslow' },
  ],
  [
    { 'c:v': 'libx264', preset: 'slow,film' },
    { 'c:v': 'libx264', preset: 'slow', tune: 'film' },
  ],
  [
    { 'c:v': 'libsvtav1', preset: 'medium' },
    { 'c:v': 'libsvtav1', preset: '7' },
  ],
  [
    { 'c:v': 'libsvtav1', preset: 'p5' },
    { 'c:v': 'libsvtav1', preset: '5' },
  ],
  [{ 'c:v': 'libsvtav1', tune: 'film' }, { 'c:v': 'libsvtav1' }],
  [{ 'c:v': 'libvpx-vp9', preset: 'good' }, { 'c:v': 'libvpx-vp9', 'cpu-used': '2' }, 'b.webm'],
  [{ 'c:v': 'libvpx-vp9', deadline: 'slow' }, { 'c:v': 'libvpx-vp9', deadline: 'good' }, 'b.webm'],
  [{ 'c:v': 'libvpx-vp9', tune: 'film' }, { 'c:v': 'libvpx-vp9', 'tune-content': 'film' }, 'b.webm'],
  [
    { 'c:v': 'libaom-av1', preset: 'veryslow' },
    { 'c:v': 'libaom-av1', 'cpu-used': '1' },
  ],
  [
    { 'c:v': 'libx264', cq: '23' },
    { 'c:v': 'libx264', crf: '23' },
  ],
  [{ 'c:v': 'libx264', 'rc:v': 'vbr' }, { 'c:v': 'libx264' }],
  [
    { 'c:v': 'mpeg4', crf: '23' },
    { 'c:v': 'mpeg4', 'q:v': '4' },
  ],
  [{ 'c:v': 'prores_ks', crf: '20' }, { 'c:v': 'prores_ks', 'profile:v': 'hq' }, 'b.mov'],
  [{ 'c:v': 'prores_ks', 'profile:v': '422hq' }, { 'c:v': 'prores_ks', 'profile:v': 'hq' }, 'b.mov'],
  [
    { 'c:v': 'libx264', 'profile:v': 'main10' },
    { 'c:v': 'libx264', 'profile:v': 'high10' },
  ],
  [
    { 'c:v': 'libx265', 'profile:v': 'high' },
    { 'c:v': 'libx265', 'profile:v': 'main' },
  ],
  [{ 'c:a': 'aac', 'profile:a': 'he' }, { 'c:a': 'aac' }],
  [{ 'c:a': 'libopus', application: 'music' }, { 'c:a': 'libopus', application: 'audio' }, 'b.mkv'],
  [{ 'c:a': 'libopus', vbr: 'yes' }, { 'c:a': 'libopus', vbr: 'on' }, 'b.mkv'],
  [{ 'c:a': 'flac', compression_level: '99' }, { 'c:a': 'flac', compression_level: '8' }, 'b.mka'],
  [{ vf: 'rotate=90' }, { vf: 'transpose=1' }],
  [{ vf: 'rotate=-90' }, { vf: 'transpose=2' }],
  [{ vf: 'scale=320:-2,rotate=180' }, { vf: 'scale=320:-2,hflip,vflip' }],
  [{ vf: 'rotate=45:c=black' }, { vf: 'rotate=45*PI/180:c=black' }],
  [{ vf: 'vignette=angle=45' }, { vf: 'vignette=angle=45*PI/180' }],
  [
    { vf: 'fps=10,scale=320:-1:flags=lanczos,palettegen' },
    {
      vf: 'fps=10,scale=320:-1:flags=lanczos,split[film][copy];[copy]palettegen[colors];[film][colors]paletteuse',
    },
    'b.gif',
  ],
  [{ 'c:v': 'libx264', 'c:a': 'aac' }, { 'c:v': 'libvpx-vp9', 'c:a': 'libopus' }, 'b.webm'],
  [{ 'c:s': 'srt' }, { 'c:s': 'mov_text' }],
  [{ 'c:a': 'aac' }, { 'c:a': 'libmp3lame' }, 'b.mp3'],
  [{ 'c:a': 'opus' }, { 'c:a': 'libopus' }, 'b.ogg'],
  [{ 'c:a': 'vorbis' }, { 'c:a': 'libvorbis' }, 'b.webm'],
  [{ af: 'atempo=0.25' }, { af: 'atempo=0.5,atempo=0.5' }],
  [{ af: 'volume=2,atempo=0.1' }, { af: 'volume=2,atempo=0.5,atempo=0.5,atempo=0.5,atempo=0.8' }],
  [{ af: 'atempo=300' }, { af: 'atempo=100,atempo=3' }],
  [{ af: 'loudnorm=I=-14:TP=1.5:LRA=11' }, { af: 'loudnorm=I=-14:TP=-1.5:LRA=11' }],
  [{ af: 'loudnorm=I=16' }, { af: 'loudnorm=I=-16' }],
  [{ crf: '-23' }, { crf: '23' }],
  [{ vf: 'colorkey=green:similarity=30' }, { vf: 'colorkey=green:similarity=0.3' }],
  [{ vf: 'eq=brightness=20:saturation=150' }, { vf: 'eq=brightness=0.2:saturation=1.5' }],
  [{ af: 'volume=150' }, { af: 'volume=1.5' }],
  [
    { vf: 'setpts=0.5', an: '' },
    { vf: 'setpts=0.5*PTS', an: '' },
  ],
  [{ map: '0:v,0:a' }, { map: ['0:v', '0:a'] }],
  [{ map: 'v a' }, { map: ['v', 'a'] }],
  [{ map: ['0:v -map 0:a', '0:s?'] }, { map: ['0:v', '0:a', '0:s?'] }],
  [{ vf: 'scale=1280,720' }, { vf: 'scale=1280:720' }],
  [{ vf: 'crop=100, 100, 0, 0' }, { vf: 'crop=100:100:0:0' }],
  [{ vf: 'eq=brightness=0.1,contrast=1.2' }, { vf: 'eq=brightness=0.1:contrast=1.2' }],
  [{ vf: 'select=eq(n,100)' }, { vf: 'select=eq(n\\,100)' }],
  [{ vf: 'zoompan=z=min(zoom+0.0015,1.5):d=125,fps=25' }, { vf: 'zoompan=z=min(zoom+0.0015\\,1.5):d=125,fps=25' }],
  [{ vf: 'scale=if(gt(iw,1280),1280,iw):-2' }, { vf: 'scale=if(gt(iw\\,1280)\\,1280\\,iw):-2' }],
  [{ vf: 'drawtext=text=Hello, World:x=10' }, { vf: 'drawtext=text=Hello\\, World:x=10' }],
  [{ vf: "drawtext=text='Time : 12: 30':x=10" }, { vf: 'drawtext=text=Time \\\\: 12\\\\: 30:x=10' }],
  [{ vf: 'drawtext=text=A:size=36:font_color=white' }, { vf: 'drawtext=text=A:fontsize=36:fontcolor=white' }],
  [{ vf: "drawtext=text='Big News':color=white" }, { vf: 'drawtext=text=Big News:fontcolor=white' }],
  [{ vf: 'scale=width=100:heigth=50' }, { vf: 'scale=width=100:height=50' }],
  [{ vf: 'fade=type=in:start=0:length=2' }, { vf: 'fade=type=in:start_time=0:duration=2' }],
  [{ vf: 'crop=width=100:height=100:left=0' }, { vf: 'crop=w=100:h=100:x=0' }],
  [{ vf: 'gblur=radius=5' }, { vf: 'gblur=sigma=5' }],
  [{ vf: 'transpose=direction=1' }, { vf: 'transpose=dir=1' }],
  [{ vf: 'hue=saturation=0' }, { vf: 'hue=s=0' }],
  [{ af: 'highpass=freq=200' }, { af: 'highpass=frequency=200' }],
  [{ af: 'equalizer=freq=1000:gain=5' }, { af: 'equalizer=frequency=1000:gain=5' }],
  [{ af: 'adelay=delay=500' }, { af: 'adelay=delays=500' }],
  [{ af: 'loudnorm=target=-16:peak=-1' }, { af: 'loudnorm=i=-16:tp=-1' }],
  [{ vf: "drawtext=text='50% off':x=10" }, { vf: 'drawtext=text=50\\\\\\\\% off:x=10' }],
  [{ vf: 'scale=1280:720;fps=25' }, { vf: 'scale=1280:720,fps=25' }],
  [{ af: 'scale=100:100' }, { vf: 'scale=100:100' }],
  [{ vf: 'volume=2' }, { af: 'volume=2' }],
  [{ af: 'reverse' }, { af: 'areverse' }],
  [
    { ss: '10', to: '5' },
    { ss: '10', t: '5' },
  ],
])('%j means %j', (mistake, meant, output) => {
  expect(corrected(film(mistake, output))).toEqual(film(meant, output));
});

test.each<[mistake: Parameters, meant: Parameters, output?: string]>([
  [{ vf: "drawtext=text='It's me':x=10" }, { vf: "drawtext=text=It\\\\\\'s me:x=10" }],
  [{ vf: "drawtext=text='Don't stop: now',fps=25" }, { vf: "drawtext=text=Don\\\\\\'t stop\\\\: now,fps=25" }],
  [{ vf: "drawtext=text='It's Bob's'" }, { vf: "drawtext=text=It\\\\\\'s Bob\\\\\\'s" }],
  [{ vf: 'drawtext=text=12:30:x=10' }, { vf: 'drawtext=text=12\\\\:30:x=10' }],
  [{ vf: 'drawtext=Hello World' }, { vf: 'drawtext=text=Hello World' }],
  [{ vf: 'scale=1280:720 fps=25' }, { vf: 'scale=1280:720,fps=25' }],
  [{ vf: 'scale=1280:720|fps=25' }, { vf: 'scale=1280:720,fps=25' }],
  [{ vf: 'drawtext=text=a scale=2:fontsize=24px' }, { vf: 'drawtext=text=a scale=2:fontsize=24' }],
  [{ vf: 'hflip vflip' }, { vf: 'hflip,vflip' }],
  [{ vf: 'fps=30,' }, { vf: 'fps=30' }],
  [{ ar: '44.1' }, { ar: '44100' }],
  [{ ar: '48' }, { ar: '48000' }],
  [{ ar: '48' }, { ar: '48000' }, 'b.wav'],
  [{ g: '2s' }, { force_key_frames: 'expr:gte(t,n_forced*2)' }],
  [
    { g: '2s', r: '25' },
    { g: '50', r: '25' },
  ],
  [{ tune: 'movie' }, { tune: 'film' }],
  [{ preset: 'best' }, { preset: 'veryslow' }],
  [{ crf: 'high' }, { crf: '18' }],
  [{ metadata: 'title:Hello' }, { metadata: 'title=Hello' }],
  [{ force_key_frames: 'every 2 seconds' }, { force_key_frames: 'expr:gte(t,n_forced*2)' }],
  [{ 'x264-params': 'keyint=60 min-keyint=60' }, { 'x264-params': 'keyint=60:min-keyint=60' }],
  [
    { 'c:v': 'libx265', 'x265-params': 'crf=28,keyint=60' },
    { 'c:v': 'libx265', 'x265-params': 'crf=28:keyint=60' },
  ],
  [{ vf: 'crop=16:9' }, { vf: 'crop=min(iw\\,ih*16/9):min(ih\\,iw*9/16)' }],
  [{ 'q:a': '192k' }, { 'b:a': '192k' }, 'b.mp3'],
  [{ ac: '5.1(side)' }, { ac: '6' }],
  [{ ac: '2 channels' }, { ac: '2' }],
  [{ pix_fmt: 'I420' }, { pix_fmt: 'yuv420p' }],
  [{ pix_fmt: '420p' }, { pix_fmt: 'yuv420p' }],
  [{ pix_fmt: 'yv12' }, { pix_fmt: 'yuv420p' }],
  [{ pix_fmt: '10bit' }, { pix_fmt: 'yuv420p10le' }],
  [{ 'b:v': '2 mbps' }, { 'b:v': '2M' }],
  [{ s: 'HD' }, { s: 'hd720' }],
  [{ s: 'Full HD' }, { s: 'hd1080' }],
  [{ s: '360p' }, { s: '640x360' }],
  [{ s: 'source' }, {}],
  [{ ss: 'PT1M30S' }, { ss: '90' }],
  [{ ss: '1.5 minutes' }, { ss: '90' }],
  [{ ss: '00.01.30' }, { ss: '90' }],
  [{ r: '24p' }, { r: '24' }],
  [{ movflags: '+fast-start' }, { movflags: '+faststart' }],
  [{ hls_flags: 'independent-segments' }, { hls_flags: 'independent_segments' }, 'b.m3u8'],
  [{ hls_segment_type: 'ts' }, { hls_segment_type: 'mpegts' }, 'b.m3u8'],
  [{ hls_segment_time: '6' }, { hls_time: '6' }, 'b.m3u8'],
  [{ color_range: 'limited' }, { color_range: 'tv' }],
  [{ map_metadata: 'none' }, { map_metadata: '-1' }],
  [{ map: '0:video' }, { map: '0:v' }],
  [{ sample_fmt: '16bit' }, { sample_fmt: 's16' }, 'b.wav'],
  [
    { vf: 'scale=1280:720:force_original_aspect_ratio=yes' },
    { vf: 'scale=1280:720:force_original_aspect_ratio=decrease' },
  ],
  [{ vf: 'scale=1280' }, { vf: 'scale=1280:-2' }],
  [{ vf: 'scale=1280:auto' }, { vf: 'scale=1280:-2' }],
  [{ vf: 'scale=50%' }, { vf: 'scale=iw*50/100:-2' }],
  [{ vf: 'crop=640x480' }, { vf: 'crop=640:480' }],
  [{ vf: 'crop=50%:50%' }, { vf: 'crop=iw*0.5:ih*0.5' }],
  [{ vf: 'fps=fps=30fps' }, { vf: 'fps=fps=30' }],
  [{ vf: 'eq=saturation=150%' }, { vf: 'eq=saturation=1.5' }],
  [{ af: 'volume=150%' }, { af: 'volume=1.5' }],
  [{ af: 'volume=mute' }, { af: 'volume=0' }],
  [{ af: 'atempo=200%' }, { af: 'atempo=2' }],
  [{ af: 'atempo=1.5x' }, { af: 'atempo=1.5' }],
  [{ af: 'afade=out:5:2' }, { af: 'afade=t=out:st=5:d=2' }],
  [{ vf: 'fade=in:0:2s' }, { vf: 'fade=t=in:st=0:d=2' }],
  [
    { vf: 'setpts=0.5PTS', an: '' },
    { vf: 'setpts=0.5*PTS', an: '' },
  ],
  [
    { vf: 'setpts=2x', an: '' },
    { vf: 'setpts=PTS/2', an: '' },
  ],
  [
    { vf: 'setpts=pts/2', an: '' },
    { vf: 'setpts=PTS/2', an: '' },
  ],
  [{ vf: 'transpose=90' }, { vf: 'transpose=1' }],
  [{ vf: 'transpose=180' }, { vf: 'hflip,vflip' }],
  [{ vf: 'trim=10-20' }, { vf: 'trim=start=10:end=20' }],
  [{ vf: 'select=scene>0.4' }, { vf: 'select=gt(scene\\,0.4)' }],
  [{ vf: 'drawtext=text=Hi:x=center:y=bottom' }, { vf: 'drawtext=text=Hi:x=(w-text_w)/2:y=h-text_h' }],
  [{ vf: 'drawbox=10:10:100:100:red@50%' }, { vf: 'drawbox=10:10:100:100:red@0.5' }],
  [{ vf: 'pad=1920:1080:center:center' }, { vf: 'pad=1920:1080:(ow-iw)/2:(oh-ih)/2' }],
  [{ vf: 'hflip=1' }, { vf: 'hflip' }],
  [{ af: 'loudnorm=I=-16 LUFS' }, { af: 'loudnorm=I=-16' }],
  [{ af: 'aformat=stereo' }, { af: 'aformat=channel_layouts=stereo' }],
])('%j means %j instead', (mistake, meant, output) => {
  expect(corrected(film(mistake, output))).toEqual(film(meant, output));
});

test.each([
  ['center', '(W-w)/2:(H-h)/2'],
  ['center:center', '(W-w)/2:(H-h)/2'],
  ['bottom-right', 'W-w:H-h'],
  ['x=right:y=top', 'x=W-w:y=0'],
  ['W-w-10,H-h-10', 'W-w-10:H-h-10'],
])('overlay=%s means overlay=%s', (sent, meant) => {
  const graph = (position: string) => ({
    ...OVERLAY,
    parameters: { filter_complex: `[0:v][1:v]overlay=${position}[v]`, map: ['[v]', '0:a?'] },
  });
  expect(corrected(graph(sent))).toEqual(graph(meant));
});

test('a filter on a copied stream names both ways out, and the encoder of the container', () => {
  const request = { ...film({ vf: 'subtitles=talk.srt', c: 'copy' }, 'b.webm'), input: 'film.webm' };
  expect(corrected(request)).toEqual({
    inputs: ['film.webm', 'talk.srt'],
    output: 'b.webm',
    parameters: { vf: 'subtitles=talk.srt', c: 'copy', 'c:v': 'libvpx-vp9' },
  });
  const complex = film({ filter_complex: '[0:a]volume=2[a]', map: ['0:v', '[a]'], c: 'copy' });
  const [mistake] = mistakesIn(complex);
  expect(mistake).toMatchObject({ code: 'NEEDS_ENCODER', fix: 'Send "c:a": "aac" as well.' });
  expect(mistake?.message).toContain('leave "filter_complex" out');
  expect(mistakesIn(corrected(complex))).toEqual([]);
});

test.each<Parameters>([
  { 'b:v': '0', crf: '30', 'c:v': 'libvpx-vp9', 'c:a': 'libopus' },
  { 'b:v': '800k' },
  { 'b:v': '1000000' },
  { 'b:a': '8k' },
  { vf: 'rotate=1.5' },
  { vf: 'crop=1600:900' },
  { vf: 'fade=in:0:30' },
  { vf: 'setpts=0.5 * PTS', an: '' },
  { vf: "drawtext=text=It\\\\\\'s me" },
  { af: 'afade=in:0:88200' },
  { vf: 'rotate=90*PI/180' },
  { maxrate: '2M', bufsize: '4M' },
  { maxrate: '2M', 'c:v': 'libvpx-vp9' },
  { maxrate: '2M', 'x264-params': 'vbv-bufsize=4000' },
])('nothing is wrong with %j', (parameters) => {
  expect(mistakesIn(film(parameters, 'b.mkv'))).toEqual([]);
});

test.each<[string, Parameters, fix: string]>([
  ['/parameters/maxrate', { maxrate: '2M', crf: '18' }, 'Send "bufsize": "4M" as well.'],
  ['/parameters/maxrate', { 'c:v': 'libx265', maxrate: '1500k' }, 'Send "bufsize": "3000k" as well.'],
  ['/parameters/bufsize', { bufsize: '2M' }, 'Send "maxrate": "1M" as well, or leave "bufsize" out.'],
])('%s has no effect alone: %j', (field, parameters, fix) => {
  expect(mistakesIn(film(parameters))).toMatchObject([{ field, code: 'NO_EFFECT', fix }]);
});

test.each<Parameters>([
  { vf: 'colorspace=all=bt709:iall=bt601-6-625' },
  { vf: 'scale=1280:720,fps=25' },
  { af: 'volume=2' },
  { vf: 'eq=brightness=-0.2:contrast=1.5' },
])('accepts %j', (parameters) => {
  expect(mistakesIn(film(parameters))).toEqual([]);
});

test('the words of every filter option are accepted as ffmpeg lists them', () => {
  const context = { catalogue: CATALOGUE, fileNamed: () => undefined };
  const rejected: string[] = [];
  let count = 0;
  for (const key of CATALOGUE.components.keys()) {
    const [kind, name = ''] = key.split('=');
    const component = kind === 'filter' && FILTERS.has(name) ? componentOf(CATALOGUE, 'filter', name) : undefined;
    for (const option of component?.options ?? [])
      for (const constant of option.readOnly || option.type === 'string' ? [] : option.constants) {
        const errors: unknown[] = [];
        const options = [{ key: option.name, value: constant.name }];
        checkFilter({ name, options, inputs: [], outputs: [], at: 0 }, context, errors as ValueError[]);
        count += 1;
        if (errors.length > 0) rejected.push(`${name}=${option.name}=${constant.name}`);
      }
  }
  expect(count).toBeGreaterThan(1000);
  expect(rejected).toEqual([]);
});

const OVERLAY = { inputs: ['a.mp4', 'b.png'], output: 'c.mp4' };
const GRAPH = '[0:v][1:v]overlay=10:10[out]';

test.each<[sent: Parameters, meant: Parameters]>([
  [
    { filter_complex: GRAPH, map: ['[outv]', '0:a'] },
    { filter_complex: GRAPH, map: ['[out]', '0:a'] },
  ],
  [
    { filter_complex: GRAPH, map: '0:a' },
    { filter_complex: GRAPH, map: ['0:a', '[out]'] },
  ],
  [{ filter_complex: GRAPH }, { filter_complex: GRAPH, map: ['[out]', '0:a?'] }],
  [
    { filter_complex: '[0:v][1:v]overlay=10,10[out]', map: ['[out]', '0:a'] },
    { filter_complex: GRAPH, map: ['[out]', '0:a'] },
  ],
  [{ vf: 'overlay=10:10' }, { filter_complex: '[0:v][1:v]overlay=10:10[v]', map: ['[v]', '0:a?'] }],
  [
    { filter_complex: '[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1', map: ['[v]', '[a]'] },
    { filter_complex: '[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]', map: ['[v]', '[a]'] },
  ],
])('a fix of labels and maps keeps the other streams: %j', (sent, meant) => {
  expect(corrected({ ...OVERLAY, parameters: sent })).toEqual({ ...OVERLAY, parameters: meant });
});

test('a list of files for the concat demuxer is one mistake, with what to send instead', () => {
  const parameters = { f: 'concat', safe: '0', c: 'copy' };
  for (const request of [
    { input: 'list.txt', output: 'b.mp4', parameters },
    { inputs: [{ input: 'list.txt', parameters: { f: 'concat', safe: '0' } }], output: 'b.mp4' },
  ]) {
    const [mistake, ...others] = mistakesIn(request);
    expect(others).toEqual([]);
    expect(mistake?.fix).toContain('concat=n=2:v=1:a=1');
  }
});

const LOOPED = { input: 'title.png', parameters: { loop: '1' } };

test.each<[title: string, ConversionRequest, field: string, fix: string]>([
  ['a looped picture with sound', { inputs: [LOOPED, 'a.mp3'], output: 'b.mp4' }, '/inputs/0/input', '"shortest": ""'],
  ['a looped picture', { inputs: [LOOPED], output: 'b.mp4' }, '/inputs/0/input', '"t": "10"'],
  [
    'a looped film with sound',
    {
      inputs: [{ input: 'a.mp4', parameters: { stream_loop: '-1' } }, 'a.mp3'],
      output: 'b.mp4',
      parameters: { map: ['0:v', '1:a'] },
    },
    '/inputs/0/input',
    '"shortest": ""',
  ],
  [
    'silence beside a film',
    film({ filter_complex: 'anullsrc[a]', map: ['0:v', '[a]'] }),
    '/parameters/filter_complex',
    '"shortest": ""',
  ],
  [
    'a film over a generated picture',
    film({ filter_complex: 'color=black:s=640x360[b];[b][0:v]overlay[v]', map: '[v]' }),
    '/parameters/filter_complex',
    'Send "filter_complex": "color=black:s=640x360[b];[b][0:v]overlay=shortest=1[v]".',
  ],
  [
    'a sound mixed with a tone',
    film({ filter_complex: 'sine=440[s];[0:a][s]amix[a]', map: ['0:v', '[a]'] }),
    '/parameters/filter_complex',
    'Send "filter_complex": "sine=440[s];[0:a][s]amix=duration=shortest[a]".',
  ],
  ['sound that is padded', film({ af: 'apad' }), '/parameters/af', '"shortest": ""'],
  ['a filter that repeats for ever', film({ vf: 'loop=-1:250' }), '/parameters/vf', '"shortest": ""'],
])('warns that an output never ends: %s', (_title, request, field, fix) => {
  const [mistake, ...others] = mistakesIn(request);
  expect(others).toEqual([]);
  expect(mistake).toMatchObject({ field, code: 'ENDLESS' });
  expect(mistake?.fix).toContain(fix);
});

test.each<[title: string, ConversionRequest]>([
  ['its duration', { inputs: [LOOPED, 'a.mp3'], output: 'b.mp4', parameters: { t: '5' } }],
  ['its shortest stream', { inputs: [LOOPED, 'a.mp3'], output: 'b.mp4', parameters: { shortest: '' } }],
  ['the duration of its input', { inputs: [{ ...LOOPED, parameters: { loop: '1', t: '3' } }], output: 'b.mp4' }],
  ['its number of frames', { inputs: [LOOPED], output: 'b.mp4', parameters: { 'frames:v': '50' } }],
  [
    'its filter',
    film({ filter_complex: 'color=black:s=640x360[b];[b][0:v]overlay=shortest=1[v]', map: ['[v]', '0:a'] }),
  ],
  ['the duration of its source', film({ filter_complex: 'anullsrc=d=5[a]', map: ['0:v', '[a]'] })],
  ['a film that is looped twice', { input: 'a.mp4', output: 'b.mp4', parameters: { stream_loop: '2' } }],
])('an output ends with %s', (_title, request) => {
  expect(mistakesIn(request).filter(({ code }) => code === 'ENDLESS')).toEqual([]);
});

test.each([
  ['[0:v][1:v][0:a][1:a]concat=n=2:v=1:a=1[v][a]', '[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]'],
  [
    '[0:v]hflip[x];[0:a]volume=2[y];[y][x][1:a][1:v]concat=n=2:v=1:a=1[v][a]',
    '[0:v]hflip[x];[0:a]volume=2[y];[x][y][1:v][1:a]concat=n=2:v=1:a=1[v][a]',
  ],
])('the inputs of concat come part by part: %s', (sent, meant) => {
  const join = (filter_complex: string): ConversionRequest => ({
    inputs: ['a.mp4', 'b.mp4'],
    output: 'c.mp4',
    parameters: { filter_complex, map: ['[v]', '[a]'] },
  });
  expect(mistakesIn(join(sent)).map(({ code }) => code)).toEqual(['WRONG_ORDER']);
  expect(corrected(join(sent))).toEqual(join(meant));
});

test('an option of the segments of a film says how to write segments', () => {
  expect(mistakesIn(film({ segment_time: '2' }))).toMatchObject([
    { code: 'NO_EFFECT', fix: expect.stringMatching(/^Send "format": "segment" .* such as "part_%03d\.mp4"\.$/) },
  ]);
});

test.each<[request: ConversionRequest, field: string, fix: RegExp]>([
  [
    { input: 'a.mp4', output: 'b.mp4', parameters: { itsoffset: '0.5', c: 'copy' } },
    '/parameters/itsoffset',
    /^To delay the sound, .*\{"input":"a\.mp4","parameters":\{"itsoffset":"0\.5"\}\}\] and "map": \["0:v","1:a"\]/,
  ],
  [
    { input: 'p%02d.png', output: 'b.mp4', parameters: { r: '2', 'c:v': 'libx264' } },
    '/parameters/r',
    /^Send "framerate": "2"\.$/,
  ],
])('%j has a warning', (request, field, fix) => {
  expect(mistakesIn(request)).toMatchObject([{ field, fix: expect.stringMatching(fix) }]);
});

test.each<ConversionRequest>([
  { input: 'a.mp4', output: 'b.mp4', parameters: { force_key_frames: '60' } },
  { input: 'a.mp4', output: 'b.mp4', parameters: { force_key_frames: '2,4' } },
  { input: 'a.mp4', output: 'b.mkv', parameters: { 'metadata:s:a:0': 'language=de' } },
  { input: 'p%02d.png', output: 'b.mp4', parameters: { framerate: '2', r: '30', 'c:v': 'libx264' } },
  {
    inputs: ['a.mp4', { input: 'a.mp4', parameters: { itsoffset: '0.5' } }],
    output: 'b.mp4',
    parameters: { map: ['0:v', '1:a'], c: 'copy' },
  },
])('%j has no warning', (request) => {
  expect(mistakesIn(request)).toEqual([]);
});
