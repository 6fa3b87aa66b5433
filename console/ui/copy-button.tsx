import { useState } from 'react';
import { Button } from './button.tsx';

/** Copies a text. Browsers allow it only over HTTPS and on the same machine; elsewhere it says to select the text. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('Select it and copy it');
    }
  };
  return (
    <>
      <Button onClick={() => void copy()}>{said === '' ? label : said}</Button>
      {/* Beside the button: what is said in it would not be its name. */}
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </>
  );
}
