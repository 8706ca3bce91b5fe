"""Run, measure and compare microservices that coding agents generate."""
