// A form that a mail server could accept; the service itself does not check (docs/interface.md 2.2).
const EMAIL = /^[^\s@<>()[\]\\,;:"]+@[^\s@.<>()[\]\\,;:"]+(\.[^\s@.<>()[\]\\,;:"]+)+$/;
const LONGEST = 320;

/** Whether the text has the form of an e-mail address. */
export function isEmailAddress(text: string): boolean {
	return text.length <= LONGEST && EMAIL.test(text);
}
