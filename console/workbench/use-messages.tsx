import { ClientError, type FieldError } from '@telecine/client';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Draft, namelessRows } from './draft.ts';
import { type PlacedMessages, placeMessages } from './field-messages.ts';
import type { Warning } from './field-notes.tsx';
import { useDraft } from './use-draft.tsx';
import type { Checked } from './use-dry-run.ts';

interface Messages {
  readonly errors: PlacedMessages<FieldError>;
  readonly warnings: PlacedMessages<Warning>;
}

const NONE: PlacedMessages<never> = { byControl: new Map(), others: [] };
const Context = createContext<Messages>({ errors: NONE, warnings: NONE });

/** What is said at an option without a name: the service never sees it. */
const NAMELESS: FieldError = {
  field: '',
  code: 'MISSING',
  message: 'This value has no option, so it is not sent.',
  fix: 'Name the option, or remove this line.',
};

/**
 * Gives each control of the form the errors and warnings of the last check. `draft`: the part of the draft that was checked.
 */
export function MessagesProvider({
  draft,
  checked: { plan, error },
  children,
}: {
  readonly draft: Draft;
  readonly checked: Checked;
  readonly children: ReactNode;
}) {
  const { draft: whole } = useDraft();
  const messages = useMemo(() => {
    const { byControl, others } = placeMessages(draft, error instanceof ClientError ? error.errors : []);
    const nameless = namelessRows(whole).map(({ id }) => [id, [NAMELESS]] as const);
    return {
      errors: { byControl: new Map([...byControl, ...nameless]), others },
      warnings: placeMessages(draft, plan?.warnings ?? []),
    };
  }, [draft, whole, error, plan]);
  return <Context value={messages}>{children}</Context>;
}

/** The errors and warnings of one control. */
export function useMessages(control: string) {
  const { errors, warnings } = useContext(Context);
  return { errors: errors.byControl.get(control) ?? [], warnings: warnings.byControl.get(control) ?? [] };
}

/** The errors and warnings that belong to no control of the form. */
export function useOtherMessages() {
  const { errors, warnings } = useContext(Context);
  return { errors: errors.others, warnings: warnings.others };
}
