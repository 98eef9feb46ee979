/** Has the browser save a value as a JSON file, or bytes as they are. */
export function download(name: string, value: unknown): void {
  const bytes =
    value instanceof Blob ? value : new Blob([JSON.stringify(value, null, 2)], { type: "application/json" });
  const address = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
