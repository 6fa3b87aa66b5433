import { ENCODER_RULES } from './request/encoders.ts';
import { FORMAT_RULES } from './request/formats.ts';
import { STREAM_RULES } from './request/streams.ts';
import { TAG_RULES } from './request/tags.ts';
import { TIME_RULES } from './request/times.ts';
import { LENGTH_RULES } from './result/lengths.ts';
import { OPTION_RESULT_RULES } from './result/options.ts';
import { OUTSIDE_INPUT_RULES } from './result/outside-input.ts';
import { PICTURE_RESULT_RULES } from './result/pictures.ts';
import { PLAYBACK_RULES } from './result/playback.ts';
import { SOUND_RESULT_RULES } from './result/sound.ts';
import { STREAM_RESULT_RULES } from './result/streams.ts';
import type { Found, Rule } from './rule.ts';

/** All rows. A reply lists the findings in this order. */
const RULES: readonly (readonly [id: string, rule: Rule])[] = [
  FORMAT_RULES,
  TIME_RULES,
  ENCODER_RULES,
  STREAM_RULES,
  TAG_RULES,
  OUTSIDE_INPUT_RULES,
  STREAM_RESULT_RULES,
  OPTION_RESULT_RULES,
  LENGTH_RULES,
  PICTURE_RESULT_RULES,
  SOUND_RESULT_RULES,
  PLAYBACK_RULES,
].flatMap((rules) => Object.entries(rules));

type Hook = 'plan' | 'result';
type Row<Context> = Pick<Rule, 'finds' | 'about'> & Readonly<{ id: string; find: (context: Context) => Found }>;

/** The rows that look at a request (`plan`), or that compare a result with its sources (`result`). */
export const rowsOf = <H extends Hook>(hook: H): readonly Row<Parameters<NonNullable<Rule[H]>>[0]>[] =>
  RULES.flatMap(([id, rule]) => {
    const find = rule[hook] as Row<Parameters<NonNullable<Rule[H]>>[0]>['find'] | undefined;
    return find === undefined ? [] : [{ ...rule, id, find }];
  });
