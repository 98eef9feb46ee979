/** `<Changed />` beside a value or in a row: the last step of the clock changed it. Its cell is tinted too. */
export function Changed({ words = "just changed" }: { readonly words?: string }) {
  return (
    <span class="changed" title={words}>
      <span class="unseen">, {words}</span>
    </span>
  );
}
