/** Whether the focus is in a field into which the user types. */
export const isTyping = (): boolean =>
  document.activeElement?.matches('input:not([type="range"], [type="checkbox"], [type="radio"]), textarea, select') ===
  true;
