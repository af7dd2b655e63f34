/* Nothing is called from outside: linked into a program, this stands between it and its libraries. */
