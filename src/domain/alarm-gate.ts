/** How long a hold lasts when the alarm gate of its monitor sets no grace (docs/rules/confirmation.md#alarm-gate). */
export const DEFAULT_GRACE_SECONDS = 300;
