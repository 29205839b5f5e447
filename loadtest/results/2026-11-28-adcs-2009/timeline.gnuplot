set output 'timeline.svg'
set terminal svg size 900,420 font 'sans,12' background '#ffffff'
set datafile missing '?'
set key outside bottom center horizontal
set grid
set yrange [0:*]
set samples 1000
set title 'Issuance and the queue of the HSM over time'
set xlabel 's'
set ylabel 'certificates/s'
set y2tics
set ytics nomirror
set y2range [0:*]
set y2label 'jobs in the queue of the HSM'
set arrow from 0.000000, graph 0 to 0.000000, graph 1 nohead dt 3
set label 'warm-up' at 0.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 51.103287, graph 0 to 51.103287, graph 1 nohead dt 3
set label 'one' at 51.103287, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 86.648325, graph 0 to 86.648325, graph 1 nohead dt 3
set label 'managed' at 86.648325, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 96.666529, graph 0 to 96.666529, graph 1 nohead dt 3
set label 'revoke' at 96.666529, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 108.163917, graph 0 to 108.163917, graph 1 nohead dt 3
set label 'revoke' at 108.163917, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 123.503558, graph 0 to 123.503558, graph 1 nohead dt 3
set label 'revoke' at 123.503558, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 229.969067, graph 0 to 229.969067, graph 1 nohead dt 3
set label 'unmanaged' at 229.969067, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 239.137160, graph 0 to 239.137160, graph 1 nohead dt 3
set label 'revoke' at 239.137160, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 251.346038, graph 0 to 251.346038, graph 1 nohead dt 3
set label 'revoke' at 251.346038, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 268.089412, graph 0 to 268.089412, graph 1 nohead dt 3
set label 'revoke' at 268.089412, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
plot 'timeline.tsv' using 1:2 with lines lw 2 title 'certificates/s' noenhanced,\
  'timeline.tsv' using 1:3 axes x1y2 with lines title 'queue hsm' noenhanced
