package commands

// guardedMarker is a variable that `mayi session` sets for what it runs.
const guardedMarker = "MAYI_GUARDED"
