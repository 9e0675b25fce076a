export const exportTexts = { alreadyRunning: "Your data is already being downloaded. Wait until that is complete, or cancel it." };
