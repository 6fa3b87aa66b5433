import type { Mistake } from './mistake.ts';

/** Lists for options that take one value. */
export const LIST_MISTAKES: readonly Mistake[] = [
  [{ vf: ['scale=640:-2', 'hue=s=0'] }, { vf: 'scale=640:-2,hue=s=0' }],
  [{ vf: ['scale=640:-2,', ' fps=25'] }, { vf: 'scale=640:-2,fps=25' }],
  [{ 'filter:v': ['hflip', 'vflip'] }, { 'filter:v': 'hflip,vflip' }],
  [{ af: ['volume=2', 'areverse'] }, { af: 'volume=2,areverse' }],
  [{ af: ['volume=2'] }, { af: 'volume=2' }],
  [{ vf: 'scale=640:-2', 'filter:v': 'hflip' }, { vf: 'scale=640:-2,hflip' }],
  [
    { c: 'copy', 'bsf:v': ['h264_metadata=aud=insert', 'h264_mp4toannexb'] },
    { c: 'copy', 'bsf:v': 'h264_metadata=aud=insert,h264_mp4toannexb' },
  ],
  [{ 'x264-params': ['keyint=60', 'bframes=2'] }, { 'x264-params': 'keyint=60:bframes=2' }],
  [{ movflags: ['faststart', 'frag_keyframe'] }, { movflags: 'faststart+frag_keyframe' }],
  [{ movflags: ['+faststart', '+frag_keyframe'] }, { movflags: '+faststart+frag_keyframe' }],
  [{ force_key_frames: ['0', '2', '4.5'] }, { force_key_frames: '0,2,4.5' }],
  [{ s: ['1280', '720'] }, { s: '1280x720' }],
  [{ aspect: ['16', '9'] }, { aspect: '16:9' }],
  [{ crf: ['23'] }, { crf: '23' }],
  [{ crf: ['20', '23'] }, { crf: '20' }],
  [{ c: ['libx264', 'aac'] }, { 'c:v': 'libx264', 'c:a': 'aac' }],
  [
    { map: ['0:v', '0:v', '0:a'], 'c:v': 'libx264', 'b:v': ['5M', '2M'] },
    { map: ['0:v', '0:v', '0:a'], 'c:v': 'libx264', 'b:v:0': '5M', 'b:v:1': '2M' },
  ],
  [{ 'c:a': ['aac', 'copy'] }, { 'c:a': 'aac' }],
  [{ var_stream_map: ['v:0,a:0'] }, { var_stream_map: 'v:0,a:0' }, 'b%v.m3u8'],
  // Several options in one value.
  [{ 'c:v': 'libx264 crf=28' }, { 'c:v': 'libx264', crf: '28' }],
  [
    { 'c:v': 'libx264 -crf 28 -preset fast', 'c:a': 'copy -movflags +faststart' },
    { 'c:v': 'libx264', crf: '28', preset: 'fast', 'c:a': 'copy', movflags: '+faststart' },
  ],
  [
    { 'c:v': 'libx264', crf: '23 -preset slow', preset: 'slow' },
    { 'c:v': 'libx264', crf: '23', preset: 'slow' },
  ],
  [{ preset: 'fast -an' }, { preset: 'fast', an: '' }],
  [{ s: '640x360 -r 25' }, { s: '640x360', r: '25' }],
];
