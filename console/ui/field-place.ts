/** Whether an error is about a control: its JSON Pointer is that of the control's name, or of a part of it. */
export function isAtControl(field: string, name: string): boolean {
  const pointer = `/${name.replaceAll('.', '/')}`;
  return field === pointer || field.startsWith(`${pointer}/`);
}
