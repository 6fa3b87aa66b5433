import { useState } from 'react';
import type { Checked } from '../workbench/use-dry-run.ts';

/**
 * The check of a recipe, which stays while only its trial is checked anew: another file says nothing about the recipe. `content`: the recipe as a
 * text.
 */
export function useLastCheck(content: string, checked: Checked): Checked {
  const { error, isOld } = checked;
  const [last, setLast] = useState<{ readonly content: string; readonly error: Checked['error'] }>();
  if (!isOld && (last?.content !== content || last.error !== error)) setLast({ content, error });
  return isOld && last?.content === content ? { ...checked, error: last.error, isOld: false } : checked;
}
