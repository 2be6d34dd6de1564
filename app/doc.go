// Package app is what a user can do with Cachecliff, without a window: a Session runs one test at a
// time and shows it as a View. The packages below it keep results, export them, find the words and
// explain what went wrong. Nothing here draws, and nothing here measures.
package app
