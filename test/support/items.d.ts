/** An item of an operation on access as one line: `granted ana@example.com org-a >admin done`. */
export function itemsOf(items: readonly object[]): string[];

export function statusesOf(items: readonly object[]): unknown[];
