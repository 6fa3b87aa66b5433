import type { ConversionRequest } from '@telecine/client';
import { useState } from 'react';
import { PasteCommand } from '../paste/paste-command.tsx';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import { errorsOf } from './check-error.ts';
import { useDraft } from './use-draft.tsx';
import { useDryRun } from './use-dry-run.ts';

/** Converts an ffmpeg command line to a draft. */
export function PastePanel({
  onText,
  onUsed,
  onClose,
}: {
  /** Called after each change of the text. */
  readonly onText: (text: string) => void;
  /** Called when a command has replaced the draft. */
  readonly onUsed: () => void;
  readonly onClose: () => void;
}) {
  const { change } = useDraft();
  const [request, setRequest] = useState<ConversionRequest>();
  const { error } = useDryRun(request);
  return (
    <Section variant="panel" title="Paste a command" actions={<Button onClick={onClose}>Close</Button>}>
      <PasteCommand
        errors={errorsOf(error)}
        onChange={setRequest}
        onText={onText}
        onRequest={(read) => {
          change({ do: 'open-request', request: read });
          onUsed();
          onClose();
        }}
      />
    </Section>
  );
}
