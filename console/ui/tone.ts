/**
 * What a state means, which decides its colour and its icon: `soft` is out of use, `waiting` will go on by itself, `paused` goes on when
 * somebody resumes it, `warn` works with restrictions.
 */
export type Tone = 'waiting' | 'running' | 'paused' | 'good' | 'warn' | 'bad' | 'soft';
