import { ClientError, type FieldError } from '@telecine/client';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Draft } from './draft.ts';
import { type PlacedMessages, placeMessages } from './field-messages.ts';
import type { Warning } from './field-notes.tsx';
import type { Checked } from './use-dry-run.ts';

interface Messages {
  readonly errors: PlacedMessages<FieldError>;
  readonly warnings: PlacedMessages<Warning>;
}

const NONE: PlacedMessages<never> = { byControl: new Map(), others: [] };
const Context = createContext<Messages>({ errors: NONE, warnings: NONE });

/** Gives each control of the form the errors and warnings of the last check. */
export function MessagesProvider({
  draft,
  checked: { plan, error },
  children,
}: {
  readonly draft: Draft;
  readonly checked: Checked;
  readonly children: ReactNode;
}) {
  const messages = useMemo(
    () => ({
      errors: placeMessages(draft, error instanceof ClientError ? error.errors : []),
      warnings: placeMessages(draft, plan?.warnings ?? []),
    }),
    [draft, error, plan],
  );
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
