/** Not in `actionTexts`, which members' pages load. */
export const ownCaseText = "This is about you. Another staff member has to decide.";
