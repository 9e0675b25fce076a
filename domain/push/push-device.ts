export type PushDevice = { number: number; browser: string; since: number; current: boolean };

export const maxPushDevices = 10;

export const pushTexts = {
  on: "You’ll get notifications on this device.",
  off: "That device won’t get notifications anymore.",
  wrong: "This site can’t send notifications to this browser.",
  tooMany: `You get notifications on ${maxPushDevices} devices already. Remove one of them first.`,
};
