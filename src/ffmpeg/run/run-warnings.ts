import type { FaultGuard } from '../rules/fault-guard.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { type MediaFacts, mediaFacts, withPlacedFix } from './media-facts.ts';
import { readOptionFacts } from './option-facts.ts';
import { RUN_RULES } from './run-rules.ts';

/**
 * Returns the warnings about facts that are known only after the run. Each is about something that the client probably
 * did not want, so an ordinary conversion gets none. Omits what the plan has already warned about. A rule that throws finds
 * nothing, and `guard` reports it. Pure.
 */
export function findRunWarnings(pass: FinishedPass, guard: FaultGuard): readonly RunWarning[] {
  const { plan } = pass;
  const options = readOptionFacts(plan.passes.at(-1) ?? []);
  const facts = { ...mediaFacts(plan, pass.inputs, pass.used), written: writtenLengths(pass) };
  const known = new Set(plan.warnings.map(({ code, field }) => `${code} ${field}`));
  // Its fix shows each picture, so those for the one that ffmpeg took do not apply.
  const hasUnjoined = known.has('UNUSED_INPUT /inputs');
  const isKnown = ({ code, field = '' }: RunWarning): boolean =>
    known.has(`${code} ${field === '/output' ? plan.output.field : field}`) ||
    (hasUnjoined && OF_ONE_PICTURE.has(code) && field.startsWith('/inputs/'));
  return RUN_RULES.find({ facts, pass, options }, guard)
    .filter((one) => !isKnown(one))
    .map((one) => withPlacedFix(facts, one));
}

function writtenLengths({ writtenSeconds, lastBlock, outputStreams }: FinishedPass): MediaFacts['written'] & {} {
  const [picture, ...pictures] = outputStreams.filter(({ type }) => type === 'video');
  const [frames, fps] = pictures.length === 0 ? [lastBlock?.frame, picture?.fps] : [];
  return {
    ...(writtenSeconds !== undefined && { seconds: writtenSeconds }),
    ...(frames !== undefined && fps !== undefined && { pictureSeconds: frames / fps }),
  };
}

/** Warnings about pictures that are not joined. The plan has one about all of them. */
const OF_ONE_PICTURE: ReadonlySet<string> = new Set(['UNUSED_INPUT', 'SHORT_OUTPUT', 'UNEQUAL_LENGTHS']);
