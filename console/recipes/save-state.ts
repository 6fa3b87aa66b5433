import { errorsOf, isOfMoment } from '../workbench/check-error.ts';
import type { Checked } from '../workbench/use-dry-run.ts';

/** The state of the bar with the button "Save". */
export interface SaveState {
  readonly text: string;
  readonly isBad: boolean;
  readonly isReady: boolean;
}

/** Whether a recipe can be saved, and why not. What is wrong with the file or the arguments of its trial does not count. */
export function saveState({
  checked: { error, isOld },
  isChanged,
  isSaving,
  stored,
  version,
}: {
  readonly checked: Checked;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** The version that is stored. */
  readonly stored: number;
  /** The version that it gets. */
  readonly version: number;
}): SaveState {
  const idle = { isBad: false, isReady: false };
  if (isSaving) return { ...idle, text: 'Saving…' };
  const errors = errorsOf(error);
  const wrong = errors.filter(({ field }) => !field.startsWith('/request/')).length;
  if (!isOld && wrong > 0)
    return { ...idle, isBad: true, text: wrong === 1 ? 'One field has an error.' : `${wrong} fields have errors.` };
  // Without a check, the service still checks what it stores.
  if (!isOld && error !== null && errors.length === 0 && !isOfMoment(error))
    return { ...idle, isBad: true, text: error.message };
  if (!isChanged) return { ...idle, text: `Saved as version ${stored}.` };
  if (isOld) return { ...idle, text: 'Checking…' };
  return { ...idle, isReady: true, text: `Ready. It becomes version ${version}.` };
}
