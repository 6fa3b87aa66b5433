import { sendValue } from '../../domain/edit.ts';
import { type QualityScale, scaleText } from '../allowlist/quality-scales.ts';
import type { ValueError } from './value-error.ts';

/**
 * The error about a number that is out of range, if it is on a scale of quality: names both ends of the scale, and sends
 * the usual value. A dash that the client wrote before a usual value is dropped.
 */
export function outsideScale(error: ValueError, value: string, scale: QualityScale | undefined): ValueError {
  if (error.code !== 'OUT_OF_RANGE' || scale === undefined) return error;
  const [low = scale.min, high = scale.max] = scale.usual.split(' to ').map(Number);
  const positive = /^-([\d.]+)$/.exec(value.trim())?.[1];
  const isUsual = positive !== undefined && Number(positive) >= low && Number(positive) <= high;
  return {
    ...error,
    message: `${error.message} On this scale, ${scaleText(scale)}.`,
    fix: sendValue(isUsual ? positive : scale.send),
  };
}
