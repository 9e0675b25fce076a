/** Not in `actionTexts`, which members' pages load. */
export const ownCaseText = "This is about you. Another member of staff has to decide it.";
