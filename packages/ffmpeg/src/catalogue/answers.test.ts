import { expect, test } from 'vitest';
import { RECORDED, recording } from '../../../../test/support/recorded-catalogue.ts';
import { optionArguments } from './answers.ts';

const VALUE = "Reading option '-t' ... matched as option 't' (stop time) with argument 'telecine-value'.\n";
const FLAG = "Reading option '-vn' ... matched as option 'vn' (disable video) with argument '1'.\n";
const OUTPUT = "Reading option 'telecine-value' ... matched as output url.\n";

test.each([
  ['takes a value that ffmpeg reads as its value', VALUE, true],
  ['takes no value if ffmpeg reads the word after it as an output', FLAG + OUTPUT, false],
  ['is unknown if ffmpeg reads the word as its value and as an output', VALUE + OUTPUT, undefined],
  ['is unknown if ffmpeg does not say how it reads the word', FLAG + VALUE, undefined],
  ['is unknown if the log ends after it', FLAG, undefined],
  ['is unknown if the word of another version of Telecine follows', FLAG + OUTPUT.replace('value', 'word'), undefined],
  ['is unknown if the line has another end', VALUE.replace('.\n', '!\n'), undefined],
])('an option %s', (_, log, argument) => {
  const [[, first] = []] = optionArguments(log);
  expect(first).toBe(argument);
});

test.each(RECORDED)('ffmpeg %s says in two ways how it reads each option', (version) => {
  const own = new Set(['hide_banner', 'nostdin', 'loglevel']);
  const unclear = [...optionArguments(recording(version).answers.options)].filter(
    ([name, argument]) => argument === undefined && !own.has(name),
  );
  expect(unclear).toEqual([]);
});
