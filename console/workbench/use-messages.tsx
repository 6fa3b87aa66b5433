import type { FieldError } from '@telecine/client';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { errorsOf } from './check-error.ts';
import { type Draft, namelessRows } from './draft.ts';
import { isSaidElsewhere, type PlacedMessages, placeMessages } from './field-messages.ts';
import type { Warning } from './field-notes.tsx';
import { hiddenPartMessages } from './hidden-parts.ts';
import { useDraft } from './use-draft.tsx';
import type { Checked } from './use-dry-run.ts';

interface Messages {
  readonly errors: PlacedMessages<FieldError>;
  readonly warnings: PlacedMessages<Warning>;
}

const NONE: PlacedMessages<never> = { byControl: new Map(), others: [] };
const Context = createContext<Messages>({ errors: NONE, warnings: NONE });

/** The error at an option without a name. The page itself adds it, because the option is not sent. */
const NAMELESS: FieldError = {
  field: '',
  code: 'MISSING',
  message: 'This value has no option, so it is not sent.',
  fix: 'Name the option, or remove this line.',
};

/** Provides the errors and warnings of the last check to the controls of the form. `draft`: the part of the draft that was checked. */
export function MessagesProvider({
  draft,
  checked: { plan, error },
  hasStarted,
  isNewJob = false,
  children,
}: {
  readonly draft: Draft;
  readonly checked: Checked;
  /** Whether jobs of this draft were started. An output that already exists is then theirs. */
  readonly hasStarted: boolean;
  /** Whether the draft makes new jobs, which have no keys and URLs that the page does not have. */
  readonly isNewJob?: boolean;
  readonly children: ReactNode;
}) {
  const { draft: whole } = useDraft();
  const messages = useMemo(() => {
    const { byControl, others } = placeMessages(draft, errorsOf(error));
    const nameless = namelessRows(whole).map(({ id }) => [id, [NAMELESS]] as const);
    // Also before there is a source, without which nothing is checked. The field is that of the check, to which a button can lead.
    const hidden = (isNewJob ? hiddenPartMessages(whole) : []).map(
      ([id, own]) => [id, [{ ...own, field: byControl.get(id)?.[0]?.field ?? '' }]] as const,
    );
    return {
      errors: { byControl: new Map([...byControl, ...nameless, ...hidden]), others },
      warnings: placeMessages(
        draft,
        plan?.warnings.filter(({ code }) => !isSaidElsewhere(code, { hasStarted, sources: whole.inputs.length })) ?? [],
      ),
    };
  }, [draft, whole, error, plan, hasStarted, isNewJob]);
  return <Context value={messages}>{children}</Context>;
}

export function useMessages(control: string) {
  const { errors, warnings } = useContext(Context);
  return { errors: errors.byControl.get(control) ?? [], warnings: warnings.byControl.get(control) ?? [] };
}

export function useOtherMessages() {
  const { errors, warnings } = useContext(Context);
  return { errors: errors.others, warnings: warnings.others };
}
